"""Readers of the kinds of files that formats come in, as tables or as items."""
