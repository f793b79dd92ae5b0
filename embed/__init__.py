"""Widgets that show reviews on the business's own website.

All widgets are built from one published document, `/embed.json`, which is served from memory.
"""
