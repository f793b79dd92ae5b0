"""Readers of file types, which return tables or items."""
