"""Run the protocol's conformance suite against a web process: `make mcp-conformance`.

The suite requires tools, prompts and resources with its own names, many of them for features that
this server does not use. They are defined here. `wsgi.py` is the only entry point, and starts with
the settings of `settings.py` alone.
"""
