"""Import reviews from sources automatically.

A connection holds the address of a source and the time of its next poll. A worker claims the
connection, fetches the source (`connectors`), stores new content as a run, and imports the run as
an `ImportBatch`. A sender may push to a connection instead. `hold_reasons` decides which runs need
approval. `selectors.alarms` reports sources that fail, shrink or fall silent.
"""
