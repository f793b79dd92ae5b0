"""Widgets: reviews on the business's own website.

Element, frame, fragment and badges are all made of one published document, `/embed.json`, and so
are answered from memory. `widget` puts the content into words; `views` answers it as JSON for
`/embed.js`, as HTML or as a picture.
"""
