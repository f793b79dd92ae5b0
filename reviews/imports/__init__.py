"""Imports of review files into the database, from upload to undo.

`batch` leads a file through preview and import, `opening` reads it with `review_exports`,
`importer` compares each record with the stored review by the rules of `merge`, and `store` writes
what changed. `undo` takes an applied import back.
"""
