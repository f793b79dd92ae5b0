"""The reviews since a day: a slice of the published `/reviews.json`.

Its reviews are newest first, so those since a day are the beginning of its array, and are sent as
they are. No query, no serialising, and never a different state than the document shows.
"""

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from core.http.headers import service_desc_link
from publishing import variants
from publishing.registry import JSON
from publishing.responses import CachedDocument, StaticResponse
from reviews.documents import DOCUMENT, REVIEWS

# Between two reviews; no more than `REVIEWS` can it occur inside a JSON string.
NEXT = b'},{"id":"'
DATE = re.compile(rb'"rating":[1-5],"date":"(\d{4}-\d\d-\d\d)"')
TAIL = b"]}"


def respond(day: dt.date, environ: Mapping[str, Any]) -> StaticResponse:
    """The answer to a GET or HEAD of the reviews since `day`, out of `/reviews.json`.

    Raises `TooManyUnsentBytes` before a large slice is compressed.
    """
    return variants.respond(
        environ,
        DOCUMENT.path,
        _build,
        day,
        media_type=JSON,
        headers=[("Link", service_desc_link(settings.BASE_URL))],
        # The document's time is never earlier than the last change of any review of a slice.
        is_dated=True,
        is_cached=False,
    )


def _build(entry: CachedDocument, day: dt.date) -> bytes:
    return slice_since(entry.identity, day)


def slice_since(document: bytes, day: dt.date) -> bytes:
    """The reviews of `/reviews.json` on or after `day`, newest first, as a document."""
    oldest = day.isoformat().encode()
    start, end = document.index(REVIEWS) + len(REVIEWS), len(document) - len(TAIL)
    returned = 0
    for date in DATE.finditer(document, start, end):
        if date[1] < oldest:
            end = document.rindex(NEXT, start, date.start()) + 1 if returned else start
            break
        returned += 1
    head = b'{"since":"%b","returned":%d,"reviews":[' % (oldest, returned)
    return b"".join((head, memoryview(document)[start:end], TAIL))
