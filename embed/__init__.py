"""Widgets: reviews on the business's own website.

All are made of one published document, `/embed.json`, and so are answered from memory.
"""
