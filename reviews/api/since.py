"""The reviews since a day: a slice of the published `/reviews.json`.

Its reviews are newest first, so those since a day are the beginning of its array: found by
bisection in the bytes, and sent as they are. No query, no serialising, and never a different
state than the document shows.
"""

import datetime as dt
import hashlib
import re
import zlib
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

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
from publishing.unsent import TooManyUnsentBytes, unsent
from reviews.documents import REVIEWS

# Between two reviews; no more than `REVIEWS` can it occur inside a JSON string.
NEXT = b'},{"id":"'
DATE = re.compile(rb'"rating":[1-5],"date":"(\d{4}-\d\d-\d\d)"')

FAST_GZIP = 1  # A large slice is compressed for one answer alone.

# Of each version: as many slices are remembered by their place, and as many bytes compressed.
MAX_CACHED_SLICES = 1_000
MAX_CACHED_BYTES = 16 * 1024 * 1024


def respond(entry: CachedDocument, day: dt.date, environ: Mapping[str, Any]) -> StaticResponse:
    """The answer to a GET or HEAD of the reviews since `day`, out of `/reviews.json`.

    Raises `TooManyUnsentBytes` before a large slice is made.
    """
    slices = _slices_of(entry)
    slice_ = slices.since(day)
    offered = CODINGS if slice_.length <= LARGE else ("gzip",)
    coding = choose_coding(environ.get("HTTP_ACCEPT_ENCODING"), offered)
    etag = entity_tag(slice_.digest, coding)
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
    if not unsent.has_room(slice_.length, environ):
        raise TooManyUnsentBytes
    # Whole: a client that does not read would hold a thread that sends in pieces.
    body = slices.content(slice_, coding)
    headers = [*content_headers(JSON, coding, len(body)), *shared]
    return StaticResponse("200 OK", headers, () if environ["REQUEST_METHOD"] == "HEAD" else (body,))


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of the document with its own beginning and end."""

    head: bytes
    reviews: memoryview
    digest: str

    TAIL = b"]}"

    @property
    def length(self) -> int:
        return len(self.head) + len(self.reviews) + len(self.TAIL)

    def body(self) -> bytes:
        return b"".join((self.head, self.reviews, self.TAIL))


@dataclass(slots=True)
class Slices:
    """The slices of one version that were asked for."""

    document: bytes
    _by_day: dict[dt.date, Slice] = field(default_factory=dict)
    _encoded: dict[tuple[str, str], bytes] = field(default_factory=dict)
    _encoded_bytes: int = 0
    _lock: Lock = field(default_factory=Lock)

    def since(self, day: dt.date) -> Slice:
        found = self._by_day.get(day)
        if found is None:
            found = slice_since(self.document, day)
            if len(self._by_day) >= MAX_CACHED_SLICES:
                self._by_day.clear()
            self._by_day[day] = found
        return found

    def content(self, slice_: Slice, coding: str) -> bytes:
        """The slice in this coding."""
        if coding == IDENTITY:
            return slice_.body()
        if slice_.length > LARGE:
            return zlib.compress(slice_.body(), FAST_GZIP, wbits=GZIP)
        body = self._encoded.get((slice_.digest, coding))
        if body is None:
            body = ENCODERS[coding](slice_.body())
            self._cache_encoded(slice_.digest, coding, body)
        return body

    def _cache_encoded(self, digest: str, coding: str, body: bytes) -> None:
        with self._lock:
            if self._encoded_bytes + len(body) > MAX_CACHED_BYTES:
                self._encoded.clear()
                self._encoded_bytes = 0
            self._encoded[digest, coding] = body
            self._encoded_bytes += len(body)


_slices: WeakKeyDictionary[CachedDocument, Slices] = WeakKeyDictionary()


def _slices_of(entry: CachedDocument) -> Slices:
    # Two threads may make one each; the loser's is forgotten with its answer.
    return _slices.get(entry) or _slices.setdefault(entry, Slices(entry.identity))


def slice_since(document: bytes, day: dt.date) -> Slice:
    """The reviews of `/reviews.json` on or after `day`, newest first, as a document."""
    oldest = day.isoformat().encode()
    start = document.index(REVIEWS) + len(REVIEWS)
    end = len(document) - len(Slice.TAIL)

    def is_past(position: int) -> bool:
        """True when no review that begins at or after this position is new enough."""
        review = start if position == start else _next_review(document, position, end)
        if review == end:
            return True
        date = DATE.search(document, review, end)
        return date is None or date[1] < oldest

    past = start + bisect_left(range(start, end), x=True, key=is_past)
    cut = start if past == start else _next_review(document, past, end)
    reviews = memoryview(document)[start : max(start, cut - 1) if cut < end else end]
    returned = document.count(NEXT, start, start + len(reviews)) + 1 if len(reviews) else 0
    head = b'{"since":"%b","returned":%d,"reviews":[' % (oldest, returned)
    found = hashlib.sha256(head)
    found.update(reviews)
    found.update(Slice.TAIL)
    return Slice(head, reviews, found.hexdigest()[:32])


def _next_review(document: bytes, position: int, end: int) -> int:
    """Where the first review that begins at or after `position` begins; `end` if none does."""
    # A review begins with the last six bytes of the mark between two; it may straddle `position`.
    found = document.find(NEXT, position - 2, end)
    return end if found < 0 else found + 2
