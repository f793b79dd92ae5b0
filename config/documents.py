"""The document `/.well-known/openapi.json`; headers and topics of all published documents."""

import datetime as dt
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.dispatch import receiver

# The order in which the documents are listed.
import reviews.documents  # isort: skip  # noqa: F401
import insights.documents  # isort: skip  # noqa: F401
import feeds.documents  # isort: skip  # noqa: F401
import embed.documents  # isort: skip  # noqa: F401
import websub
from core.http.headers import CORS_HEADERS, HUB_PATH, security_headers, service_desc_link
from core.source_digest import source_digest
from publishing.models import Document
from publishing.registry import JSON, DocumentSpec, registry
from publishing.signals import document_published

FILE = Path(__file__).parent / "openapi" / "openapi.json"
BASE_URL = b"{base_url}"


def build(changed_at: dt.datetime) -> bytes:
    """The description of the interface with this installation's address; no row changes it."""
    # Written into JSON strings, so escaped as one.
    base_url = json.dumps(settings.BASE_URL)[1:-1].encode()
    return FILE.read_bytes().rstrip(b"\n").replace(BASE_URL, base_url)


OPENAPI = registry.register(
    DocumentSpec(
        path="/.well-known/openapi.json",
        media_type=JSON,
        build=build,
        revision=None,
        name="openapi",
        title="OpenAPI description",
        description="The same data over HTTP: every operation, with examples.",
        fingerprint=partial(source_digest, "config/openapi/openapi.json"),
    )
)


def headers(spec: DocumentSpec, status: int) -> list[tuple[str, str]]:
    """The headers that every public answer has; a 304 brings none about its content."""
    shared = [("Link", link_header(spec)), *CORS_HEADERS]
    return shared if status == 304 else [*security_headers(settings.HSTS), *shared]


def link_header(spec: DocumentSpec) -> str:
    """The description of the interface, and for a topic its hub and its own address (WebSub 4)."""
    description = service_desc_link(settings.BASE_URL)
    if not spec.is_topic:
        return description
    hub = f'<{settings.BASE_URL}{HUB_PATH}>; rel="hub"'
    return f'{hub}, <{spec.url}>; rel="self", {description}'


# --- Topics of the hub ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DocumentTopic:
    """A published document as `websub.topics.Topic`."""

    spec: DocumentSpec
    smaller_url: str

    @property
    def url(self) -> str:
        return self.spec.url

    @property
    def media_type(self) -> str:
        return self.spec.media_type

    def version(self) -> int:
        return self._column("version") or 0

    def changed_at(self) -> dt.datetime | None:
        at: dt.datetime | None = self._column("changed_at")
        return at

    def content(self) -> tuple[int, bytes]:
        document = Document.objects.only("version", "gzip").get(path=self.spec.path)
        return document.version, document.identity

    def _column(self, name: str) -> Any:
        documents = Document.objects.filter(path=self.spec.path)
        return documents.values_list(name, flat=True).first()


def document_topics() -> list[DocumentTopic]:
    """The documents that can be followed; large ones name the first bounded one as alternative."""
    followed = [spec for spec in registry.small_first() if spec.is_topic]
    bounded = next((spec.url for spec in followed if spec.is_bounded), "")
    return [DocumentTopic(spec, "" if spec.is_bounded else bounded) for spec in followed]


@receiver(document_published)
def notify_subscribers(*, path: str, **kwargs: Any) -> None:
    spec = registry.get(path)
    if spec and spec.is_topic:
        websub.notify(spec.url)
