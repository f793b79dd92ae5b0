"""The reviews since a day, as a slice of the published `/reviews.json`.

The document lists the newest reviews first, so that the reviews since a day are the beginning of
its array. A slice needs no query and always agrees with the document.
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

# Separates two reviews. Like `REVIEWS`, it cannot occur inside a JSON string.
NEXT = b'},{"id":"'
DATE = re.compile(rb'"rating":[1-5],"date":"(\d{4}-\d\d-\d\d)"')
TAIL = b"]}"


def respond(day: dt.date, environ: Mapping[str, Any]) -> StaticResponse:
    """Answer a GET or HEAD of the reviews since `day`. Raises `TooManyUnsentBytes`."""
    return variants.respond(
        environ,
        DOCUMENT.path,
        _build,
        day,
        media_type=JSON,
        headers=[("Link", service_desc_link(settings.BASE_URL))],
        # No review of the slice changed after the document.
        is_dated=True,
        is_cached=False,
    )


def _build(entry: CachedDocument, day: dt.date) -> bytes:
    return slice_since(entry.identity, day)


def slice_since(document: bytes, day: dt.date) -> bytes:
    """Cut the reviews on or after `day` out of `/reviews.json`."""
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
