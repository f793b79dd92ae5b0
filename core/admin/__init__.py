"""Base classes of the admin pages of every app: lists, editable rows, forms."""
