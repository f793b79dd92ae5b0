"""Search of the visible reviews: parameters, filters, and answers that are kept until a change.

- `parameters` (with `fields`) read a search from a query string or from JSON arguments.
- `query` has the filters, reads a page, counts the matches, and joins the answer.
"""
