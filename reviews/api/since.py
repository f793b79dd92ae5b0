"""The reviews since a day: a slice of the published `/reviews.json`.

Its reviews are newest first, so those since a day are the beginning of its array, and are sent as
they are. No query, no serialising, and never a different state than the document shows.
"""

import datetime as dt
import hashlib
import re
import zlib
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from core.http.headers import service_desc_link
from publishing.conditional import CODINGS, IDENTITY, choose_coding, is_not_modified
from publishing.models import GZIP
from publishing.publisher import ENCODERS, LARGE
from publishing.registry import JSON
from publishing.responses import (
    CachedDocument,
    StaticResponse,
    content_headers,
    entity_tag,
    shared_headers,
)
from publishing.slow_readers import TooManyUnsentBytes, slow_readers
from reviews.documents import REVIEWS

# Between two reviews; no more than `REVIEWS` can it occur inside a JSON string.
NEXT = b'},{"id":"'
DATE = re.compile(rb'"rating":[1-5],"date":"(\d{4}-\d\d-\d\d)"')
TAIL = b"]}"
FAST_GZIP = 1  # A large slice is compressed for one answer alone.


def respond(entry: CachedDocument, day: dt.date, environ: Mapping[str, Any]) -> StaticResponse:
    """The answer to a GET or HEAD of the reviews since `day`, out of `/reviews.json`.

    Raises `TooManyUnsentBytes` before a large slice is compressed.
    """
    body = slice_since(entry.identity, day)
    is_large = len(body) > LARGE
    offered = ("gzip",) if is_large else CODINGS
    coding = choose_coding(environ.get("HTTP_ACCEPT_ENCODING"), offered)
    etag = entity_tag(hashlib.sha256(body).hexdigest()[:32], coding)
    # Never earlier than the last change of any review, so a date is never told a false 304.
    shared = [
        ("ETag", etag),
        *shared_headers(entry.last_modified),
        ("Link", service_desc_link(settings.BASE_URL)),
    ]
    if is_not_modified(
        environ.get("HTTP_IF_NONE_MATCH"),
        environ.get("HTTP_IF_MODIFIED_SINCE"),
        etag,
        entry.last_modified,
    ):
        return StaticResponse("304 Not Modified", shared, [])
    if not slow_readers.has_room(len(body), environ):
        raise TooManyUnsentBytes
    if is_large and coding != IDENTITY:
        body = zlib.compress(body, FAST_GZIP, wbits=GZIP)
    elif coding != IDENTITY:
        body = ENCODERS[coding](body)
    headers = [*content_headers(JSON, coding, len(body)), *shared]
    # Whole: a client that does not read would hold a thread that sends in pieces.
    return StaticResponse("200 OK", headers, () if environ["REQUEST_METHOD"] == "HEAD" else (body,))


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
