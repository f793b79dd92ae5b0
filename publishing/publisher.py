"""Build outdated documents, and store and announce them if their bytes changed.

Any process may do this at any time. A claim, which expires, keeps two processes from the same work.
Correctness does not depend on the claim: storing compares the row with the version that was read.
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
PAUSE_AFTER_FAILURE = dt.timedelta(seconds=2)

# Larger documents are only compressed with gzip, to save memory in each process and to compress a
# change within a second.
LARGE = 4_000_000

# At these levels compressing takes as long as reading the rows; brotli 11 takes a minute for 50 MB.
ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": lambda body: zlib.compress(body, 6, wbits=GZIP),
    "br": lambda body: brotli.compress(body, quality=5),
    "zstd": lambda body: zstandard.ZstdCompressor(level=3).compress(body),
}

# Paths of documents that had this process's fingerprint; see `_fingerprint_changed`.
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
    """States of these or all documents, bounded ones first."""
    specs = [spec for spec in registry.small_first() if not paths or spec.path in paths]
    known: dict[str | ReadRevision | None, int] = {}  # Each revision is read once.
    for spec in specs:
        if spec.revision not in known:
            known[spec.revision] = _read_revision(spec).number
    documents = Document.objects.without_bodies().in_bulk([spec.path for spec in specs])
    return [State(spec, known[spec.revision], documents.get(spec.path)) for spec in specs]


def _read_revision(spec: DocumentSpec) -> RevisionState:
    """Last change of the document's data; number 0 if it never changed."""
    if isinstance(spec.revision, str):
        found = Revision.state(spec.revision)
    else:
        found = spec.revision() if spec.revision else None
    return found or RevisionState(0, timezone.now())


def publish_due() -> list[str]:
    """Publish all outdated documents, and return the paths with a new version."""
    published: list[str] = []
    is_progressing = True
    while is_progressing:
        outcomes = {
            state.spec.path: publish(state.spec) for state in states() if state.is_outdated()
        }
        published += [path for path, outcome in outcomes.items() if outcome is Outcome.NEW]
        # The data may have changed in the meantime.
        is_progressing = any(outcome is not Outcome.SKIPPED for outcome in outcomes.values())
    return published


def publish(spec: DocumentSpec) -> Outcome:
    """Build the document, and store and announce it if its bytes changed."""
    document = _claim(spec.path)
    if document is None:
        return Outcome.SKIPPED
    try:
        return _build(spec, document)
    except DatabaseError:
        raise
    except Exception:
        # A bad row must not stop the other documents.
        logger.exception("%s cannot be built and stays as it is", spec.path)
        pause_until = timezone.now() + PAUSE_AFTER_FAILURE
        Document.objects.filter(path=spec.path).update(claimed_until=pause_until)
        return Outcome.SKIPPED


def _claim(path: str) -> Document | None:
    """Claim the document for a while; None if another process has claimed it."""
    now = timezone.now()
    document = Document.objects.without_bodies().filter(path=path).first()
    if document is None:
        Document.objects.bulk_create([Document(path=path)], ignore_conflicts=True)
    elif document.claimed_until is not None and document.claimed_until > now:
        return None  # Without a write, since all processes poll this while one of them builds.
    is_free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    if not Document.objects.filter(is_free, path=path).update(claimed_until=now + CLAIM):
        return None
    return Document.objects.without_bodies().get(path=path)


def _build(spec: DocumentSpec, document: Document) -> Outcome:
    fingerprint = spec.full_fingerprint()
    with read_snapshot():
        revision = _read_revision(spec)
        changed_at = _time_of_change(document, revision)
        # With the previous time, to compare everything but the time.
        body = spec.build(document.changed_at or changed_at)
        is_new = document.changed_at is None or digest(body) != document.digest
        if is_new and document.changed_at:
            body = spec.build(changed_at)
    checked = {"revision": revision.number, "fingerprint": fingerprint, "claimed_until": None}
    if not is_new:
        _unless_replaced(document).update(**checked)
        return Outcome.UNCHANGED
    written = {
        "version": document.version + 1,
        "digest": digest(body),
        "changed_at": changed_at,
        **encode(body),
        **checked,
    }
    with transaction.atomic():
        if not _unless_replaced(document).update(**written):
            return Outcome.SKIPPED
        transaction.on_commit(partial(_announce, spec.path, document.version + 1), robust=True)
    return Outcome.NEW


def _unless_replaced(document: Document) -> DocumentQuerySet:
    """Query set of the row, empty if another process has stored it since it was read."""
    return Document.objects.filter(
        path=document.path,
        version=document.version,
        revision=document.revision,
        fingerprint=document.fingerprint,
    )


def _time_of_change(document: Document, revision: RevisionState) -> dt.datetime:
    """Time of the data's change, or now if only the fingerprint changed.

    It is later than that of the previous version.
    """
    at = timezone.now()
    if revision.number != document.revision:
        at = revision.changed_at
    at = at.replace(microsecond=0)
    if document.changed_at is None:
        return at
    return max(at, document.changed_at + dt.timedelta(seconds=1))


def _fingerprint_changed(document: Document, ours: str) -> bool:
    """Whether this process has never seen the document with its own fingerprint.

    Processes with different code or addresses (an upgrade in progress, two ports on one machine)
    would otherwise replace each other's documents for ever.
    """
    if document.fingerprint == ours:
        _seen_fingerprints.add(document.path)
    return document.path not in _seen_fingerprints


def _announce(path: str, version: int) -> None:
    logger.info("Published %s version %d", path, version)
    document_published.send_robust(sender=Document, path=path, version=version)


def digest(body: bytes) -> str:
    """Digest for the ETag."""
    return hashlib.sha256(body).hexdigest()[:32]


def encode(body: bytes) -> dict[str, bytes]:
    """Compress a body in parallel, outside the GIL; empty for codings that are not stored."""
    names = ["gzip"] if len(body) > LARGE else list(ENCODERS)
    with ThreadPoolExecutor(len(names)) as pool:
        encoded = dict(zip(names, pool.map(lambda name: ENCODERS[name](body), names), strict=True))
    return {name: encoded.get(name, b"") for name in ENCODERS}
