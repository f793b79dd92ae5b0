"""The OpenAPI 3.1.0 description of the API, published at `/.well-known/openapi.json`.

drf-spectacular generates it from views and serializers, by `settings.toml`. `schema` adds
`examples.json` (responses of an installation with three demo reviews) and `operations.json` (MCP
and the webhook of the hub, which are not views of Django REST framework). `manage.py openapi`
writes the description to a file, since it does not depend on rows. The published document replaces
`{base_url}` in it.
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
