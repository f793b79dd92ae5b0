"""Fault injection with real processes: `make chaos`."""
