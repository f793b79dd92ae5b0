"""Recorded requests and responses: the interface as clients see it."""
