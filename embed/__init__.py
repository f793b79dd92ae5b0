"""Reviews on the business's own website: a custom element, a page for frames, a fragment, badges.

All of it is made of one published document, `/embed.json`, and so is answered from memory. `widget`
says in words what is shown; `views` gives it as JSON for `/embed.js`, as HTML or as a picture.
"""
