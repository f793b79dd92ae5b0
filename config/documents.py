"""The document `/.well-known/openapi.json`, and the headers of all published documents."""

import datetime as dt
import json
from functools import partial
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext_noop

# The order in which the documents are listed.
import reviews.documents  # isort: skip  # noqa: F401
import insights.documents  # isort: skip  # noqa: F401
import feeds.documents  # isort: skip  # noqa: F401
import embed.documents  # isort: skip  # noqa: F401
from core.http.headers import CORS_HEADERS, HUB_PATH, security_headers, service_desc_link
from core.source_digest import source_digest
from publishing.registry import JSON, DocumentSpec, registry
from websub.protocol import link_header as hub_links

FILE = Path(__file__).parent / "openapi" / "openapi.json"
BASE_URL = b"{base_url}"


def build(changed_at: dt.datetime) -> bytes:
    """Return the OpenAPI description with the address of this installation."""
    # The address is inserted into JSON strings, so it is escaped as one.
    base_url = json.dumps(settings.BASE_URL)[1:-1].encode()
    return FILE.read_bytes().rstrip(b"\n").replace(BASE_URL, base_url)


registry.register(
    DocumentSpec(
        path="/.well-known/openapi.json",
        media_type=JSON,
        build=build,
        revision=None,
        name="openapi",
        title=gettext_noop("OpenAPI description"),
        description=gettext_noop("The same data over HTTP: every operation, with examples."),
        fingerprint=partial(source_digest, "config/openapi/openapi.json"),
    )
)


def headers(spec: DocumentSpec, status: int) -> list[tuple[str, str]]:
    """Return the headers of all public responses. A 304 has no headers about its content."""
    shared = [("Link", link_header(spec)), *CORS_HEADERS]
    return shared if status == 304 else [*security_headers(settings.HSTS), *shared]


def link_header(spec: DocumentSpec) -> str:
    """Return links to the OpenAPI description, and for a topic to its hub and itself (WebSub 4)."""
    description = service_desc_link(settings.BASE_URL)
    if not spec.is_topic:
        return description
    return f"{hub_links(settings.BASE_URL + HUB_PATH, spec.url)}, {description}"
