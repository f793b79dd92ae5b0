"""Pure: the kinds of files that formats come in, each opened as a table or as items."""
