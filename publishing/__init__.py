"""Publish documents: built when data changes, stored with validators, served before Django."""

__version__ = "1.0.0"
