"""Bring documents up to date; store and announce them only when their bytes changed.

Any process may call this at any time. A claim keeps two from doing the same work, and expires by
itself; the result is right because of the comparison with which it is stored, not of the claim.
"""

import datetime as dt
import hashlib
import logging
import zlib
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

from publishing.models import GZIP, Document, DocumentQuerySet, Revision
from publishing.registry import DocumentSpec, ReadRevision, RevisionState, registry
from publishing.signals import document_published
from publishing.snapshot import read_snapshot

logger = logging.getLogger(__name__)

CLAIM = dt.timedelta(seconds=10)
# A document that cannot be built is tried again after a pause, and the others are not held up.
PAUSE_AFTER_FAILURE = dt.timedelta(seconds=2)

# Larger documents have identity and gzip alone: every process holds each coding in memory, and a
# change has to be compressed within a second.
LARGE = 4_000_000

# Levels that cost about as much as reading the rows: brotli 11 takes a minute for 50 MB.
ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": lambda body: zlib.compress(body, 6, wbits=GZIP),
    "br": lambda body: brotli.compress(body, quality=5),
    "zstd": lambda body: zstandard.ZstdCompressor(level=3).compress(body),
}

# Paths whose document has been seen with this process's fingerprint; see `_fingerprint_changed`.
_seen_fingerprints: set[str] = set()


class Outcome(Enum):
    NEW = "a new version is stored"
    UNCHANGED = "the bytes are those of the stored version"
    SKIPPED = "another process is building it, or it could not be built"


@dataclass(frozen=True, slots=True)
class State:
    """A registered document, its data's revision and its stored version, if any."""

    spec: DocumentSpec
    revision: int
    document: Document | None  # Without the bodies.

    def is_outdated(self) -> bool:
        return (
            self.document is None
            or not self.document.version
            or self.document.revision != self.revision
            or _fingerprint_changed(self.document, self.spec.full_fingerprint())
        )


def states(*paths: str) -> list[State]:
    """The state of these or of all documents, bounded ones first, by a few small queries."""
    specs = [spec for spec in registry.small_first() if not paths or spec.path in paths]
    known: dict[str | ReadRevision | None, int] = {}  # Each revision is read once.
    for spec in specs:
        if spec.revision not in known:
            known[spec.revision] = _read_revision(spec).number
    documents = Document.objects.without_bodies().in_bulk([spec.path for spec in specs])
    return [State(spec, known[spec.revision], documents.get(spec.path)) for spec in specs]


def _read_revision(spec: DocumentSpec) -> RevisionState:
    """The last change of the document's data; number 0 before the first."""
    if isinstance(spec.revision, str):
        found = Revision.objects.state(spec.revision)
    else:
        found = spec.revision() if spec.revision else None
    return found or RevisionState(0, timezone.now())


def publish_due() -> list[str]:
    """Bring every outdated document up to date; the paths of those that got a new version."""
    published: list[str] = []
    is_moving = True
    while is_moving:
        outcomes = {
            state.spec.path: publish(state.spec) for state in states() if state.is_outdated()
        }
        published += [path for path, outcome in outcomes.items() if outcome is Outcome.NEW]
        # The data may have changed while we were building.
        is_moving = any(outcome is not Outcome.SKIPPED for outcome in outcomes.values())
    return published


def publish(spec: DocumentSpec) -> Outcome:
    """Compare the document with its rows, and store and announce what differs."""
    document = _claim(spec.path)
    if document is None:
        return Outcome.SKIPPED
    try:
        return _bring_up_to_date(spec, document)
    except DatabaseError:
        raise
    except Exception:
        # A builder meets whatever the rows contain; one bad row must not stop the others.
        logger.exception("%s cannot be built and stays as it is", spec.path)
        pause_until = timezone.now() + PAUSE_AFTER_FAILURE
        Document.objects.filter(path=spec.path).update(claimed_until=pause_until)
        return Outcome.SKIPPED


def _claim(path: str) -> Document | None:
    """The document, reserved for a while; None when another process has reserved it."""
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


def _bring_up_to_date(spec: DocumentSpec, document: Document) -> Outcome:
    fingerprint = spec.full_fingerprint()
    with read_snapshot():
        revision = _read_revision(spec)
        changed_at = _time_of_change(document, revision)
        # Built with the time it had: equal bytes mean that nothing but the time would differ.
        body = spec.build(document.changed_at or changed_at)
        is_new = document.changed_at is None or digest(body) != document.digest
        if is_new and document.changed_at:
            body = spec.build(changed_at)
    seen = {"revision": revision.number, "fingerprint": fingerprint, "claimed_until": None}
    if not is_new:
        _as_claimed(document).update(**seen)
        return Outcome.UNCHANGED
    written = {
        "version": document.version + 1,
        "digest": digest(body),
        "changed_at": changed_at,
        **encode(body),
        **seen,
    }
    with transaction.atomic():
        if not _as_claimed(document).update(**written):
            return Outcome.SKIPPED
        transaction.on_commit(partial(_announce, spec.path, document.version + 1), robust=True)
    return Outcome.NEW


def _as_claimed(document: Document) -> DocumentQuerySet:
    """The row, if it was not stored again since it was read."""
    return Document.objects.filter(
        path=document.path,
        version=document.version,
        revision=document.revision,
        fingerprint=document.fingerprint,
    )


def _time_of_change(document: Document, revision: RevisionState) -> dt.datetime:
    """When the data changed, or now if only the fingerprint did; later than the last time."""
    at = timezone.now()
    if revision.number != document.revision:
        at = revision.changed_at
    at = at.replace(microsecond=0)
    if document.changed_at is None:
        return at
    return max(at, document.changed_at + dt.timedelta(seconds=1))


def _fingerprint_changed(document: Document, ours: str) -> bool:
    """True until this process has seen the document with its own fingerprint.

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
    """Digest of which the ETag is made."""
    return hashlib.sha256(body).hexdigest()[:32]


def encode(body: bytes) -> dict[str, bytes]:
    """The codings in which the document is kept; compressed side by side, outside the GIL."""
    names = ["gzip"] if len(body) > LARGE else list(ENCODERS)
    with ThreadPoolExecutor(len(names)) as pool:
        encoded = dict(zip(names, pool.map(lambda name: ENCODERS[name](body), names), strict=True))
    return {name: encoded.get(name, b"") for name in ENCODERS}
