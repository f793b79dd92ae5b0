"""Reviews that arrive by themselves: connections to sources, runs, and checks against bad data.

A connection says from where reviews come and when it is next due. A worker claims it, fetches the
source (`connectors`), stores what is new as a run, and imports the run as an `ImportBatch`. A
sender may push to a connection instead. `hold_reasons` keep a run for a person;
`selectors.alarms` tell of a source that fails, shrinks or falls silent.
"""
