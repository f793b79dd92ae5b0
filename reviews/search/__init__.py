"""Search of the visible reviews.

- `parameters` and `fields` parse a search from a query string or from JSON arguments.
- `query` filters, sorts and counts the reviews, and caches the results.
"""
