"""Search of the visible reviews: parameters, filters, and answers that are kept until a change.

- `parameters` (with `fields`) read a search from a query string or from JSON arguments.
- `filters` are the conditions, for the interface and for the form of the list page.
- `query` reads a page, counts the matches, and joins the answer.
"""
