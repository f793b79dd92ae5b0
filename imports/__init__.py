"""Imports of review files into the database, from upload to undo.

`services` takes what people and sources ask for, and `batch` does the work that a batch then waits
for. `merge_file` opens one file with its options, the business and earlier answers; `importer`
compares each record with the stored review by the rules of `merge`, and `writer` writes what
changed. `revert` takes an applied import back.

Every file is read by `reader_process.read(file, options, file_name=...)`, in a process of its own
with limits on memory and time; short pushed texts are read without one. Apps with files of their
own call `services.upload` and `run_now`, or `import_file`, which all end there.
"""
