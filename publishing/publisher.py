"""Bring documents up to date; store and announce them only when their bytes changed.

Anybody may call this at any time, in any number of processes. A claim keeps them from doing the
same work twice, and expires by itself; that the result is right rests on the comparison with which
it is stored, never on the claim.
"""

import datetime as dt
import hashlib
import logging
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import partial

import brotli
import zstandard
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone

from core.db.snapshot import read_snapshot
from publishing.chunked_gzip import ChunkedGzip
from publishing.models import GZIP, Document, DocumentQuerySet
from publishing.registry import CATALOG, DocumentSpec, fingerprint
from publishing.signals import document_published
from reviews.models import Revision

logger = logging.getLogger(__name__)

CLAIM = dt.timedelta(seconds=10)
# A document that cannot be built is tried again after a pause, and the others are not held up.
PAUSE_AFTER_FAILURE = dt.timedelta(seconds=2)

# Larger documents (some 10,000 reviews) have identity and gzip alone: every process holds each
# coding in memory, and an edit has to be compressed within its second.
LARGE = 4_000_000

# Levels that cost about as much as reading the rows: brotli 11 takes a minute for 50 MB.
ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": lambda body: zlib.compress(body, 6, wbits=GZIP),
    "br": lambda body: brotli.compress(body, quality=5),
    "zstd": lambda body: zstandard.ZstdCompressor(level=3).compress(body),
}

# By path: what it has compressed last saves a process the most of the next version.
_gzip_by_path: defaultdict[str, ChunkedGzip] = defaultdict(ChunkedGzip)

# Paths whose document has been seen with this process's fingerprint; see `_fingerprint_changed`.
_seen_fingerprints: set[str] = set()


class Outcome(Enum):
    NEW = "a new version is stored"
    UNCHANGED = "the bytes are those of the stored version"
    LEFT = "somebody else has it in hand, or it could not be built"


@dataclass(frozen=True, slots=True)
class State:
    """What the database says about a resource: its data's revision and its document, if any."""

    resource: DocumentSpec
    revision: int
    document: Document | None  # Without the bodies.

    def is_outdated(self) -> bool:
        return (
            self.document is None
            or not self.document.version
            or self.document.revision != self.revision
            or _fingerprint_changed(self.document, fingerprint(self.resource))
        )


def states() -> list[State]:
    """The state of every resource, by two small queries."""
    revisions = dict(Revision.objects.values_list("name", "number"))
    documents = Document.objects.without_bodies().in_bulk()
    return [
        State(resource, revisions.get(resource.depends_on or "", 0), documents.get(path))
        for path, resource in CATALOG.items()
    ]


def publish_due() -> list[str]:
    """Bring every outdated document up to date; the paths of those that got a new version.

    Documents that somebody else is building are left to them.
    """
    published: list[str] = []
    is_moving = True
    while is_moving:
        outcomes = {
            state.resource.path: publish(state.resource)
            for state in states()
            if state.is_outdated()
        }
        published += [path for path, outcome in outcomes.items() if outcome is Outcome.NEW]
        # The data may have changed while we were building.
        is_moving = any(outcome is not Outcome.LEFT for outcome in outcomes.values())
    return published


def publish(resource: DocumentSpec) -> Outcome:
    """Compare the document with its rows, and store and announce what differs.

    A failure is logged and pauses this document alone.
    """
    document = _claim(resource.path)
    if document is None:
        return Outcome.LEFT
    try:
        return _bring_up_to_date(resource, document)
    except DatabaseError:
        raise
    except Exception:
        # A builder meets whatever the rows contain; one bad row must not stop the others.
        logger.exception("%s cannot be built and stays as it is", resource.path)
        pause_until = timezone.now() + PAUSE_AFTER_FAILURE
        Document.objects.filter(path=resource.path).update(claimed_until=pause_until)
        return Outcome.LEFT


def _claim(path: str) -> Document | None:
    """The document, reserved for us for a while; None when somebody else has it in hand."""
    now = timezone.now()
    document = Document.objects.without_bodies().filter(path=path).first()
    if document is None:
        Document.objects.bulk_create([Document(path=path)], ignore_conflicts=True)
    elif document.claimed_until is not None and document.claimed_until > now:
        return None  # Seen without a write: every process looks here while one of them builds.
    is_free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    if not Document.objects.filter(is_free, path=path).update(claimed_until=now + CLAIM):
        return None
    return Document.objects.without_bodies().get(path=path)


def _bring_up_to_date(resource: DocumentSpec, document: Document) -> Outcome:
    shape = fingerprint(resource)
    with read_snapshot():
        revision = Revision.objects.filter(name=resource.depends_on).first()
        number = revision.number if revision else 0
        changed_at = _time_of_change(document, revision)
        if document.changed_at is None:
            body = resource.build(changed_at)
            is_new = True
        else:
            # Built with the time it had: equal bytes mean that nothing but the time would differ.
            body = resource.build(document.changed_at)
            is_new = digest(body) != document.digest
            if is_new:
                body = _with_time(changed_at, body, document.changed_at, resource)
    seen = {"revision": number, "fingerprint": shape, "claimed_until": None}
    if not is_new:
        _as_claimed(document).update(**seen)
        return Outcome.UNCHANGED
    written = {
        "version": document.version + 1,
        "digest": digest(body),
        "changed_at": changed_at,
        **encode(resource.path, body),
        **seen,
    }
    with transaction.atomic():
        if not _as_claimed(document).update(**written):
            return Outcome.LEFT
        transaction.on_commit(partial(_announce, resource.path, document.version + 1), robust=True)
    return Outcome.NEW


def _as_claimed(document: Document) -> DocumentQuerySet:
    """The row, if nobody has stored anything since we read it."""
    return Document.objects.filter(
        path=document.path,
        version=document.version,
        revision=document.revision,
        fingerprint=document.fingerprint,
    )


def _time_of_change(document: Document, revision: Revision | None) -> dt.datetime:
    """When the data changed, or now if it is our own shape that did; later than the last time."""
    at = timezone.now()
    if revision is not None and revision.number != document.revision:
        at = revision.changed_at
    at = at.replace(microsecond=0)
    if document.changed_at is None:
        return at
    return max(at, document.changed_at + dt.timedelta(seconds=1))


def _with_time(
    changed_at: dt.datetime, body: bytes, named_at: dt.datetime, resource: DocumentSpec
) -> bytes:
    """What `resource.build(changed_at)` gives, out of the body that names another time.

    The large documents name it in their first line and are not built twice: that would be a fifth
    of publishing 100,000 reviews.
    """
    before, after = (b'"generated_at":"%b"' % _instant(at) for at in (named_at, changed_at))
    if before in body[:100]:
        return body.replace(before, after, 1)
    return resource.build(changed_at)


def _instant(at: dt.datetime) -> bytes:
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ").encode()


def _fingerprint_changed(document: Document, ours: str) -> bool:
    """True until this process has seen the document in its own shape once.

    Two processes with different code or addresses over one database (an upgrade in progress, two
    ports on one machine) would otherwise rewrite each other's documents for ever.
    """
    if document.fingerprint == ours:
        _seen_fingerprints.add(document.path)
    return document.path not in _seen_fingerprints


def _announce(path: str, version: int) -> None:
    logger.info("Published %s version %d", path, version)
    document_published.send_robust(sender=Document, path=path, version=version)


def digest(body: bytes) -> str:
    """What the ETag is made of."""
    return hashlib.sha256(body).hexdigest()[:32]


def encode(path: str, body: bytes) -> dict[str, bytes]:
    """The codings in which the document is kept; compressed side by side, outside the GIL."""
    encoders = {**ENCODERS, "gzip": _gzip_by_path[path].compress}
    names = ["gzip"] if len(body) > LARGE else list(encoders)
    with ThreadPoolExecutor(len(names)) as pool:
        encoded = dict(zip(names, pool.map(lambda name: encoders[name](body), names), strict=True))
    return {name: encoded.get(name, b"") for name in encoders}
