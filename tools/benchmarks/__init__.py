"""Benchmarks against an anchor in the same run; each module prints a table."""
