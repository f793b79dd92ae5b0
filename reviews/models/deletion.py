"""Reviews and names that are gone, by hash, so that no import brings them back."""

import datetime as dt
import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from review_analysis.text import fold
from reviews.models.review import Review, lock_rows
from reviews.models.revision import without_revision

DIGEST_SIZE = 16
# Few words without a name are nobody's alone.
TELLING_TEXT = 40


def digest(*parts: object) -> str:
    """A hash of these values, for what must be recognised and need not be readable."""
    joined = "\x1f".join(map(str, parts)).encode(errors="replace")
    return hashlib.blake2b(joined, digest_size=DIGEST_SIZE).hexdigest()


def content_digest(author: str, date: object, text: str) -> str:
    """A hash of the content that tells a review from all others; empty where it does not."""
    if not text or (author == "Anonymous" and len(text) < TELLING_TEXT):
        return ""
    return digest(fold(author), date, fold(text))


def name_digest(author: str) -> str:
    """A hash of a name, whatever its case, form and spaces."""
    return digest("author", *unicodedata.normalize("NFKC", author).casefold().split())


class DeletedReview(models.Model):
    """A review that was deleted, without its author and text.

    Imports leave out a review that a person deleted (`kept_out`), until an administrator lifts
    that. Of a review that went with its undone import the id alone is kept, for readers that ask
    for what was removed.
    """

    KEPT = dt.timedelta(days=400)  # Ids that imports are not kept from.

    ulid = models.CharField("id", max_length=26, db_index=True)
    kept_out = models.BooleanField(default=True)
    merge_key = models.CharField(max_length=32, blank=True)
    content = models.CharField(max_length=32, blank=True)
    source = models.CharField(_("site"), max_length=50, blank=True)
    rating = models.PositiveSmallIntegerField(_("stars"), null=True, blank=True)
    date = models.DateField("day of the review", null=True, blank=True)
    deleted_at = models.DateTimeField(_("deleted"), default=timezone.now, db_index=True)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        verbose_name=_("deleted by"),
    )

    class Meta:
        verbose_name = _("deleted review")
        verbose_name_plural = _("deleted reviews")
        ordering = ["-deleted_at", "-id"]

    def __str__(self) -> str:
        return f"{self.rating}/5 from {self.source} on {self.date}" if self.source else self.ulid


class Deletions:
    """The deleted reviews that imports leave out, in memory for one import."""

    def __init__(self) -> None:
        columns = ("ulid", "merge_key", "content", "source", "deleted_at")
        rows = list(DeletedReview.objects.filter(kept_out=True).order_by("id").values(*columns))
        self._by_ulid: dict[str, dict[str, Any]] = {row["ulid"]: row for row in rows}
        self._by_key = {row["merge_key"]: row for row in rows}
        self._by_content: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            self._by_content[row["content"]].append(row)

    def __bool__(self) -> bool:
        return bool(self._by_ulid)

    def find(self, record: Any, *, sourceless: str) -> dict[str, Any] | None:
        """The deletion that a record's review met; by its ids, or by author, day and text.

        Content counts within one source, and where either side has none (`sourceless`).
        """
        if row := self._by_ulid.get(record.ulid) or self._by_key.get(
            digest(record.source, record.external_id)
        ):
            return row
        alike = content_digest(record.author, record.date, record.text)
        for row in self._by_content.get(alike, []) if alike else []:
            if sourceless in {row["source"], record.source} or row["source"] == record.source:
                return row
        return None


class ForgottenAuthor(models.Model):
    """An author whose name, picture and links were removed; imports read them as anonymous."""

    name_digest = models.CharField(max_length=32, unique=True, editable=False)
    reviews = models.PositiveIntegerField("reviews at that time", default=0)
    forgotten_at = models.DateTimeField(_("forgotten"), default=timezone.now)
    forgotten_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        verbose_name=_("forgotten by"),
    )

    class Meta:
        ordering = ["-forgotten_at", "-id"]
        verbose_name = "forgotten person"
        verbose_name_plural = "forgotten people"

    def __str__(self) -> str:
        return f"author forgotten on {self.forgotten_at:%-d %B %Y}"


def forgotten_names() -> frozenset[str]:
    """The hashes of all forgotten names, for an import to compare."""
    return frozenset(ForgottenAuthor.objects.values_list("name_digest", flat=True))


# --- Deletions of many, which leave the revision alone; the caller raises it last -----------------

PORTION = 2_000  # Reviews that are deleted by one statement per table.


def delete_all(ids: Sequence[int]) -> None:
    """Delete reviews and what hangs on them, whatever their number.

    `QuerySet.delete` reads every review and what hangs on it first: 20 s for 100,000.
    """
    for start in range(0, len(ids), PORTION):
        portion = ids[start : start + PORTION]
        reviews = without_revision(Review).filter(id__in=portion)
        lock_rows(reviews, for_deletion=True)
        for relation in Review._meta.related_objects:
            hanging = without_revision(cast("type[models.Model]", relation.related_model))
            hanging.filter(**{f"{relation.field.name}__in": portion}).delete()
        reviews._raw_delete(reviews.db)  # noqa: SLF001  (What Django's own `delete` ends in.)


def record_deletion(ids: Sequence[int], *, kept_out: bool, by: User | None = None) -> None:
    """Record reviews that are about to be deleted; imports leave out those `kept_out`."""
    now = timezone.now()
    columns = ("ulid", "source", "external_id", "author", "rating", "date", "text")
    for start in range(0, len(ids), PORTION):
        portion = without_revision(Review).filter(id__in=ids[start : start + PORTION])
        # One that was lifted, imported again with its own id and deleted again is one.
        DeletedReview.objects.filter(ulid__in=portion.values("ulid")).delete()
        rows = []
        for ulid, source, key, author, rating, date, text in portion.order_by("id").values_list(
            *columns
        ):
            row = DeletedReview(ulid=ulid, kept_out=kept_out, deleted_at=now, deleted_by=by)
            if kept_out:
                row.source, row.rating, row.date = source, rating, date
                row.merge_key = digest(source, key)
                row.content = content_digest(author, date, text)
            rows.append(row)
        DeletedReview.objects.bulk_create(rows)
