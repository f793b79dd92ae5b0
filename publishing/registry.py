"""Every published document, in one table."""

import datetime as dt
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings

import feeds.atom
import feeds.json_feed
import insights.dataset
import publishing.openapi
import reviews.documents
from core.source_digest import source_digest
from reviews.models import Revision

JSON = "application/json"
ATOM = "application/atom+xml"

Build = Callable[[dt.datetime], bytes]


@dataclass(frozen=True, slots=True)
class DocumentSpec:
    """A document that is published at a path.

    `build` is a pure function of the rows and of the time that it is to name as the time of their
    last change: same rows and same time, same bytes.
    """

    path: str
    media_type: str
    build: Build
    depends_on: str | None  # The revision that counts the changes of its rows; None: it has none.
    shaped_by: tuple[str, ...]  # Packages and files whose change may change the bytes.
    is_topic: bool = False
    is_bounded: bool = False  # Holds the newest reviews alone, so that its size does not grow.

    @property
    def url(self) -> str:
        return f"{settings.BASE_URL}{self.path}"


# The small ones first: they are published, and shown, while the others are built.
RESOURCES = (
    DocumentSpec(
        "/api/feed.json",
        JSON,
        feeds.json_feed.build,
        Revision.REVIEWS,
        ("feeds", "reviews"),
        is_topic=True,
        is_bounded=True,
    ),
    DocumentSpec(
        "/feed.xml",
        ATOM,
        feeds.atom.build,
        Revision.REVIEWS,
        ("feeds", "reviews"),
        is_topic=True,
        is_bounded=True,
    ),
    DocumentSpec(
        "/reviews.json",
        JSON,
        reviews.documents.build,
        Revision.REVIEWS,
        ("reviews",),
        is_topic=True,
    ),
    DocumentSpec(
        "/insights.json",
        JSON,
        insights.dataset.build,
        Revision.INSIGHTS,
        ("insights/dataset.py",),
    ),
    DocumentSpec(
        "/.well-known/openapi.json",
        JSON,
        publishing.openapi.build,
        None,
        ("publishing/openapi.json",),
    ),
)
CATALOG = {resource.path: resource for resource in RESOURCES}


def fingerprint(resource: DocumentSpec) -> str:
    """A hash of what shapes the bytes beside the rows: the public address and our own code.

    So an upgrade or a new address is published without anybody having to think of it. A change of
    code that leaves the bytes alone costs one comparison.
    """
    shaped_by = f"{settings.BASE_URL}\n{source_digest(*resource.shaped_by)}"
    return hashlib.sha256(shaped_by.encode()).hexdigest()
