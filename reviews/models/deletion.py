"""Hashes of deleted reviews and forgotten authors, so that imports do not restore them."""

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
from review_exports.formats.base import NO_SOURCE
from reviews.models.review import Review, lock_rows
from reviews.models.revision import without_revision
from reviews.published_json import ANONYMOUS

DIGEST_SIZE = 16
# Shorter texts do not identify an anonymous review.
MIN_ANONYMOUS_TEXT = 40


def digest(*parts: object) -> str:
    """Hash values that must be recognised but not read."""
    joined = "\x1f".join(map(str, parts)).encode(errors="replace")
    return hashlib.blake2b(joined, digest_size=DIGEST_SIZE).hexdigest()


def content_digest(author: str, date: object, text: str) -> str:
    """Hash the content of a review; empty if the content does not identify the review."""
    if not text or (author == ANONYMOUS and len(text) < MIN_ANONYMOUS_TEXT):
        return ""
    return digest(fold(author), date, fold(text))


def name_digest(author: str) -> str:
    """Hash a name, ignoring case, Unicode form and spaces."""
    return digest("author", *unicodedata.normalize("NFKC", author).casefold().split())


class DeletedReview(models.Model):
    """A deleted review without its author and text.

    Imports skip reviews that a person deleted (`kept_out`) until an administrator allows them
    again. The row of a review that was removed by undoing its import holds only the id, for
    `changed_since` searches.
    """

    KEPT = dt.timedelta(days=400)  # Rows without `kept_out` are purged after this.

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
    """Deleted reviews that imports skip, in memory for one import."""

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

    def find(self, record: Any) -> dict[str, Any] | None:
        """Find the deletion of a record's review by its ids, or by author, day and text.

        Content is compared within one source, and if either source is not stated.
        """
        if row := self._by_ulid.get(record.ulid) or self._by_key.get(
            digest(record.source, record.external_id)
        ):
            return row
        alike = content_digest(record.author, record.date, record.text)
        for row in self._by_content.get(alike, []) if alike else []:
            if NO_SOURCE in {row["source"], record.source} or row["source"] == record.source:
                return row
        return None


class ForgottenAuthor(models.Model):
    """An author whose name, picture and links were removed; imports anonymise this name."""

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
    """Hashes of all forgotten names."""
    return frozenset(ForgottenAuthor.objects.values_list("name_digest", flat=True))


# --- Bulk deletion; the caller raises the revision ------------------------------------------------

CHUNK = 2_000  # Reviews that one statement per table deletes.


def delete_all(ids: Sequence[int], *, kept_out: bool, by: User | None = None) -> None:
    """Delete any number of reviews, and record their ids; imports skip them if `kept_out`.

    `QuerySet.delete` would read all rows that refer to the reviews: 20 s for 100,000 reviews.
    """
    columns = ("ulid", "source", "external_id", "author", "rating", "date", "text")
    now = timezone.now()
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        reviews = without_revision(Review).filter(id__in=chunk)
        lock_rows(reviews, for_deletion=True)
        # A review may be deleted, allowed again, imported with its own id, and deleted again.
        DeletedReview.objects.filter(ulid__in=reviews.values("ulid")).delete()
        rows = []
        for review in reviews.only(*columns).order_by("id"):
            row = DeletedReview(ulid=review.ulid, kept_out=kept_out, deleted_at=now, deleted_by=by)
            if kept_out:
                row.source, row.rating, row.date = review.source, review.rating, review.date
                row.merge_key = digest(review.source, review.external_id)
                row.content = content_digest(review.author, review.date, review.text)
            rows.append(row)
        DeletedReview.objects.bulk_create(rows)
        for relation in Review._meta.related_objects:
            related = without_revision(cast("type[models.Model]", relation.related_model))
            related.filter(**{f"{relation.field.name}__in": chunk}).delete()
        reviews._raw_delete(reviews.db)  # noqa: SLF001  (The last step of Django's `delete`.)
