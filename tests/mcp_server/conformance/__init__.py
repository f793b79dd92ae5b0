"""The protocol's own conformance suite, against a real web process: `make mcp-conformance`.

The suite asks for tools, prompts and resources by names of its own, many of them for features that
this server has no use for. They live here; `wsgi.py` is the one way in, and starts with the
settings of `settings.py` alone.
"""
