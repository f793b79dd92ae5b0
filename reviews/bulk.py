"""Writes of many reviews at once that leave the revision alone; the caller raises it last."""

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from django.contrib.auth.models import User
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from reviews.models import DeletedReview, Review, lock_rows
from reviews.models.deletion import content_digest, merge_key_digest

M = TypeVar("M", bound=models.Model)
PORTION = 2_000  # Reviews that are deleted by one statement per table.


def overwrite(reviews: Iterable[Review], fields: Sequence[str]) -> None:
    """Store these fields of reviews that exist, by as few statements as the database allows."""
    without_revision(Review).bulk_create(
        reviews, update_conflicts=True, unique_fields=["id"], update_fields=fields
    )


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
                row.merge_key = merge_key_digest(source, key)
                row.content = content_digest(author, date, text)
            rows.append(row)
        DeletedReview.objects.bulk_create(rows)


def without_revision(model: type[M]) -> QuerySet[M]:
    """All rows, by a query set that leaves the revision alone: an import raises it once, last."""
    return cast("QuerySet[M]", QuerySet(model))
