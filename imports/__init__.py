"""Imports of review files into the database, from upload to undo.

`batch` leads a file through preview and import, `file` merges one file, `opening` opens it with the
options, the business and earlier answers, `importer` compares each record with the stored review by
the rules of `merge`, and `store` writes what changed. `undo` takes an applied import back.

Every file is read by `reader_process.read(file, options, file_name=...)`, in a process of its own
with limits on memory and time; short pushed texts are read without one. Apps with files of their
own call `reviews.services.upload` and `run_now`, or `import_file`, which all end there.
"""
