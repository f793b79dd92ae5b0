"""Words about the aggregates. Every number is theirs, every quotation is verbatim."""
