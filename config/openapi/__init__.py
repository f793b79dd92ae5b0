"""The description of the interface, OpenAPI 3.1.0, as published at `/.well-known/openapi.json`.

drf-spectacular writes it from views and serializers, by `settings.toml`. `schema` adds
`examples.json`, answers of an installation with three reviews of the demo, and `operations.json`,
the requests that no view of Django REST framework serves: MCP and the hub's webhook. Nothing of it
depends on the rows: it is written once, by `manage.py openapi`, to a file that is published with
`{base_url}` replaced.
"""

import tomllib
from pathlib import Path
from typing import Any

from reviews import VERSION

SPECTACULAR_SETTINGS: dict[str, Any] = {
    **tomllib.loads(Path(__file__).with_name("settings.toml").read_text("utf-8")),
    "VERSION": VERSION,
    "GENERIC_ADDITIONAL_PROPERTIES": None,
}
