"""Imports of review files into the database, from upload to undo.

`services` is the interface for views, commands and other apps. `batch` processes pending batches:
it reads, applies or undoes them. `merge_file` opens one file with its options and the confirmed
shapes. `importer` compares each record with the stored review by the rules of `merge`, and `writer`
stores the changes. `revert` undoes an applied import.

`reader_process.read` reads every file in a separate process with limits on memory and time, except
for short pushed texts. Apps with files of their own call `services.upload` and `run_now`, or
`services.import_file`.
"""
