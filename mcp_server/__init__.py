"""The reviews and what they say for assistants, over the Model Context Protocol."""

PATHS = frozenset({"/mcp", "/mcp/"})  # Both are served: a redirect would lose the body.
