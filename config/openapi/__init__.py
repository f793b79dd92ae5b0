"""The description of the interface, OpenAPI 3.1.0, as published at `/.well-known/openapi.json`.

drf-spectacular finds the operations in the URLs; what they mean stands here, and the shapes stand
beside the code that makes them. Nothing of it depends on the rows: it is written once, by
`manage.py openapi`, to a file that is published with `{base_url}` replaced.
"""

from typing import Any

import orjson
from drf_spectacular.generators import SchemaGenerator

from config.openapi.mcp import MCP
from config.openapi.reads import reads
from config.openapi.responses import HEADERS, Described
from config.openapi.shapes import SCHEMAS
from config.openapi.webhooks import PATH_ITEMS, WEBHOOKS
from reviews import VERSION

INFO: Described = {
    "title": "Reviews",
    "version": VERSION,
    "summary": "The customer reviews of one business, read-only.",
    "description": (
        "Everything here is public and read-only: no key, no account; an Authorization header is "
        "ignored. Each resource has one representation, whatever Accept says. Send the ETag of "
        "your copy in If-None-Match: while nothing has changed the answer is 304. Errors are "
        "problems with the members of RFC 9457. The same reviews as an Atom feed: "
        "{base_url}/feed.xml. To be told instead of asking, subscribe at the WebSub hub, "
        "{base_url}/api/websub/hub; what it then sends is described under webhooks."
    ),
    "contact": {"name": "For developers", "url": "{base_url}/developers"},
    "license": {"name": "MIT License", "identifier": "MIT"},
}

TAGS = [
    {"name": "reviews", "description": "The reviews: all of them, by search, since a day."},
    {"name": "insights", "description": "What the reviews say."},
    {"name": "feeds", "description": "The newest reviews."},
    {
        "name": "mcp",
        "description": "The same data for assistants, over the Model Context Protocol.",
    },
    {
        "name": "webhooks",
        "description": "Requests that the WebSub hub sends to the callbacks of its subscribers.",
    },
]


def document() -> Described:
    """The whole description; `{base_url}` stands for the public address."""
    generator: Any = SchemaGenerator  # Untyped.
    found = generator().get_schema(public=True)["paths"]
    places = {
        operation["operationId"]: (path, method)
        for path, operations in found.items()
        for method, operation in operations.items()
    }
    operations = reads()
    if places.keys() != operations.keys():
        undescribed = sorted(places.keys() ^ operations.keys())
        raise LookupError(f"Found in the URLs or described here, not both: {undescribed}")
    paths: Described = {}
    for operation_id, operation in operations.items():
        path, method = places[operation_id]
        paths[path] = {method: operation}
    paths["/mcp"] = {"post": MCP}
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "{base_url}"}],
        "tags": TAGS,
        "security": [],
        "paths": paths,
        "webhooks": WEBHOOKS,
        "components": {
            "schemas": dict(SCHEMAS),
            "headers": dict(HEADERS),
            "pathItems": PATH_ITEMS,
        },
    }


def render() -> bytes:
    """The bytes of the file."""
    return orjson.dumps(document())
