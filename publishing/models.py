"""Published documents with their codings, and counters of changes of data."""

import zlib
from typing import Self

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone

from publishing.conditional import CODINGS, IDENTITY
from publishing.registry import RevisionState

GZIP = 31  # The `wbits` of zlib for RFC 1952.


class DocumentQuerySet(models.QuerySet["Document"]):
    def published(self) -> Self:
        return self.filter(version__gt=0)

    def without_bodies(self) -> Self:
        return self.defer(*CODINGS)


class Document(models.Model):
    """A document at a path. A row with version 0 is claimed but not yet published."""

    path = models.CharField(max_length=100, primary_key=True)
    version = models.PositiveBigIntegerField(
        default=0, help_text="Counts the changes of its bytes."
    )
    revision = models.PositiveBigIntegerField(
        default=0, help_text="Of the data that it has been compared with last."
    )
    fingerprint = models.CharField(
        max_length=64, blank=True, help_text="Of everything but the data that shapes its bytes."
    )
    digest = models.CharField(max_length=64, blank=True, help_text="Of its bytes; the ETag.")
    # In whole seconds, later than that of the previous version, for `If-Modified-Since`.
    changed_at = models.DateTimeField(null=True)
    # The plain bytes are not stored: they would take PostgreSQL most of the time.
    gzip = models.BinaryField(default=b"")
    # Empty in documents larger than `publisher.LARGE`.
    br = models.BinaryField(default=b"")
    zstd = models.BinaryField(default=b"")
    claimed_until = models.DateTimeField(null=True)

    objects = DocumentQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.path} version {self.version}"

    @property
    def identity(self) -> bytes:
        """Plain bytes of a published document."""
        return zlib.decompress(self.gzip, wbits=GZIP)

    def bodies(self) -> dict[str, bytes]:
        """Bodies by coding, identity first."""
        stored = {coding: bytes(getattr(self, coding)) for coding in CODINGS}
        return {IDENTITY: self.identity} | {name: body for name, body in stored.items() if body}


class Revision(models.Model):
    """Counter of changes of some data, for apps without their own counter."""

    name = models.CharField(max_length=100, primary_key=True)
    number = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.name} {self.number}"

    @staticmethod
    def state(name: str) -> RevisionState | None:
        """Last change of the data called `name`; None if it never changed."""
        row = Revision.objects.filter(name=name).values_list("number", "changed_at").first()
        return RevisionState(*row) if row else None

    @staticmethod
    def raise_(name: str) -> None:
        """Count a change of the data; call this in the transaction of the change."""
        with transaction.atomic():
            Revision.objects.bulk_create([Revision(name=name)], ignore_conflicts=True)
            Revision.objects.filter(name=name).update(
                number=F("number") + 1, changed_at=timezone.now()
            )
