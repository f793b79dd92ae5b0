"""The description of the interface, OpenAPI 3.1.0, as published at `/.well-known/openapi.json`.

drf-spectacular writes it from views and serializers. `schema` adds `examples.json`, answers of an
installation with three reviews of the demo, and `operations.json`, the requests that no view of
Django REST framework serves: MCP and the hub's webhook. Nothing of it depends on the rows: it is
written once, by `manage.py openapi`, to a file that is published with `{base_url}` replaced.
"""

from reviews import VERSION

SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Reviews",
    "VERSION": VERSION,
    "DESCRIPTION": (
        "Everything here is public and read-only: no key, no account; an Authorization header is "
        "ignored. Each resource has one representation, whatever Accept says. Send the ETag of "
        "your copy in If-None-Match: while nothing has changed the answer is 304. Errors are "
        "problems with the members of RFC 9457. The same reviews as an Atom feed: "
        "{base_url}/feed.xml. To be told instead of asking, subscribe at the WebSub hub, "
        "{base_url}/api/websub/hub; what it then sends is described under webhooks."
    ),
    "CONTACT": {"name": "For developers", "url": "{base_url}/developers"},
    "LICENSE": {"name": "MIT License", "identifier": "MIT"},
    "SERVERS": [{"url": "{base_url}"}],
    "TAGS": [
        {"name": "reviews", "description": "The reviews: all of them, by search, since a day."},
        {"name": "insights", "description": "What the reviews say."},
        {"name": "feeds", "description": "The newest reviews."},
        {
            "name": "mcp",
            "description": "The same data for assistants, over the Model Context Protocol.",
        },
        {
            "name": "webhooks",
            "description": "Requests that the WebSub hub sends to the callbacks of its "
            "subscribers.",
        },
    ],
    "POSTPROCESSING_HOOKS": [
        "config.openapi.schema.complete",
        "drf_spectacular.hooks.postprocess_schema_enum_id_removal",
    ],
    "SORT_OPERATIONS": False,
    "SORT_OPERATION_PARAMETERS": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "GENERIC_ADDITIONAL_PROPERTIES": None,
}
