"""Search of the visible reviews: parameters, text index, query, and a cache of answers.

- `parameters` (with `fields`) read a search from a query string or from JSON arguments.
- `text_index` folds texts and finds those that contain a phrase.
- `query` builds one Django query of a search, reads a page and counts the matches.
- `result_cache` joins the answer and keeps it until the reviews change.
"""
