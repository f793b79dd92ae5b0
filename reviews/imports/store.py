"""Writes of reviews in the thousands, as an import needs them.

100,000 model instances saved with `bulk_create` cost three times the
bare statements of `bulk`. A test shows that a row written here equals one written by
`Review.save`. Nothing here raises the revision; the import does so once, as its last write.
"""

import datetime as dt
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from django.contrib.auth.models import User
from django.db import connection, models
from django.db.models import QuerySet
from django.utils import timezone

from review_analysis.name_matching import Roster
from review_exports.records import Record
from reviews.imports import bulk
from reviews.imports.lookup import one_of, stored_reviews
from reviews.imports.merge import FIELDS, MENTIONING, Change, StoredReview, incoming_values
from reviews.imports.report import as_json
from reviews.languages import language_of
from reviews.models import (
    DeletedReview,
    ImportBatch,
    ImportChange,
    Mention,
    Review,
    lock_rows,
    names_in_public,
)
from reviews.models.deletion import content_digest, merge_key_digest
from reviews.models.review import HiddenReason, trace_of_hiding
from reviews.search.text_index import fold_for_search, index_pending_texts
from reviews.serializers import Publishable, fragment
from reviews.timestamps import change_instant, first_change, publication_instants
from reviews.ulids import monotonic_ulids

M = TypeVar("M", bound=models.Model)
PORTION = 2_000  # Reviews that are deleted by one statement per table.

NEW_COLUMNS = (
    "id",
    "ulid",
    "source",
    "external_id",
    "external_id_is_synthetic",
    *FIELDS,
    "hidden",
    "edited_fields",
    "created_by_batch_id",
    "created_at",
    "updated_at",
    "published_at",
    "modified_at",
    "language",
    "text_folded",
    "fragment",
)
CHANGED_COLUMNS = (
    *FIELDS,
    "hidden",
    "edited_fields",
    "changed_by_batch_id",
    "updated_at",
    "modified_at",
    "language",
    "text_folded",
    "fragment",
)
MENTION_COLUMNS = ("review_id", "kind", "subject")
SEARCHED_COLUMNS = ("hidden", "rating", "date", "text_folded")
# A change of these alone leaves the published review as it was.
UNPUBLISHED = frozenset(
    {
        "translated_text",
        "text_language",
        "source_updated_at",
        "named_technicians",
        "named_services",
    }
)


class Writer:
    """Writes what one import decided. `now` is the one moment at which all of it happens.

    `is_demo`: the new reviews appeared on their days, whenever they are loaded.
    """

    def __init__(
        self,
        roster: Roster,
        *,
        batch: ImportBatch | None,
        now: dt.datetime,
        is_demo: bool = False,
    ) -> None:
        self.roster = roster
        self.batch = batch
        self.now = now
        self._changed_at = change_instant(now)
        self._changes = itertools.count()
        self._is_demo = is_demo
        self.names = names_in_public()
        self._moment = connection.ops.adapt_datetimefield_value(now)
        self._ulids = monotonic_ulids()
        self._written = 0

    def create(self, records: Sequence[Record]) -> None:
        """New reviews. A record that has no id of ours gets one."""
        batch_id = self.batch.pk if self.batch else None
        mentions: list[tuple[int, str, str]] = []
        rows = []
        self._written += len(records)
        ids = bulk.reserve_ids(Review, len(records))
        for record in records:
            record.ulid = record.ulid or next(self._ulids)
        times = self._times(records)
        for review_id, record in zip(ids, records, strict=True):
            record.verified = bool(record.verified)
            rows.append(
                (
                    review_id,
                    record.ulid,
                    record.source,
                    record.external_id,
                    int(record.external_id_is_synthetic),
                    *_written(incoming_values(record, record.verified)),
                    0,  # Numbers for what is true or false: `sqlite3` looks up how to adapt others.
                    "[]",
                    batch_id,
                    self._moment,
                    self._moment,
                    *times[record.ulid],
                    language_of(record.text, record.text_language),
                    fold_for_search(record.text),
                    # `verified` has just been decided, so a record is all that a fragment needs.
                    fragment(cast("Publishable", record), self.names),
                )
            )
            mentions.extend(self._mentions(review_id, record))
        bulk.insert(Review, NEW_COLUMNS, rows)
        bulk.insert(Mention, MENTION_COLUMNS, mentions)

    def next_change(self) -> dt.datetime:
        """The time of the next change, by a microsecond later than that of the last one.

        Feeds shall not have one time of change twice.
        """
        return self._changed_at + next(self._changes) * dt.timedelta(microseconds=1)

    def _times(self, records: Sequence[Record]) -> dict[str, tuple[Any, Any]]:
        """By id, when new reviews are published and when that last changed, as stored."""
        adapt = connection.ops.adapt_datetimefield_value
        new = sorted((record.date, record.ulid) for record in records)
        days = [day for day, _ in new]
        instants = publication_instants(days, self.now, always_by_day=self._is_demo)
        times = {}
        for (_, ulid), published_at in zip(new, instants, strict=True):
            changed_at = published_at if self._is_demo else self.next_change()
            modified_at = first_change(published_at, changed_at)
            times[ulid] = adapt(published_at), adapt(modified_at)
        return times

    def change(self, changes: Sequence[Change]) -> None:
        """New values of stored reviews; the replaced values are saved for an undo."""
        batch_id = self.batch.pk if self.batch else None
        reviews, mentioning, replaced = [], [], []
        for change in changes:
            is_published = is_published_change(change.fields) or "hidden" in change.fields
            review = change.stored._replace(
                values=change.values,
                edited_fields=change.edited_fields,
                hidden=change.stored.hidden and "hidden" not in change.fields,
                changed_by_batch_id=batch_id,
                modified_at=self.next_change() if is_published else change.stored.modified_at,
            )
            reviews.append(review)
            if not MENTIONING.isdisjoint(change.fields):
                mentioning.append(review)
            differences = change.differences()
            before = {field: as_json(old) for field, old, _ in differences}
            after = {field: as_json(new) for field, _, new in differences}
            before |= undo_values(change.stored)
            after["edited_fields"] = change.edited_fields
            replaced.append((review.id, change.record.row, before, after))
        self.update(reviews)
        self.trace_hiding([c.stored.id for c in changes if "hidden" in c.fields])
        self.match_again(mentioning)
        self._save_changes(replaced)

    def update(self, reviews: Sequence[StoredReview]) -> None:
        """Store the values of reviews that exist, and what derives from them."""
        adapt = connection.ops.adapt_datetimefield_value
        rows = []
        for review in reviews:
            named = _as_namespace(review)
            modified_at = review.modified_at
            rows.append(
                (
                    *_written(review.values),
                    review.hidden,
                    _names(review.edited_fields),
                    review.changed_by_batch_id,
                    self._moment,
                    modified_at and adapt(modified_at),
                    language_of(named.text, named.text_language),
                    fold_for_search(named.text),
                    fragment(cast("Publishable", named), self.names),
                    review.id,
                )
            )
        self._written += len(rows)
        bulk.update_reviews(CHANGED_COLUMNS, rows)

    def trace_hiding(self, ids: Sequence[int]) -> None:
        """Bring the time and reason of hiding in step with whether these reviews are hidden."""
        rows = without_revision(Review).filter(id__in=ids)
        rows.filter(hidden=False, hidden_at__isnull=False).update(**trace_of_hiding(hidden=False))
        absent = trace_of_hiding(hidden=True, reason=HiddenReason.ABSENT)
        rows.filter(hidden=True, hidden_at__isnull=True).update(**absent)

    def match_again(self, reviews: Sequence[StoredReview]) -> None:
        """Replace what these reviews mention by what they mention now."""
        these, ids = one_of([review.id for review in reviews])
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM reviews_mention WHERE review_id {these}", [ids])  # noqa: S608
        mentions = [
            mention
            for review in reviews
            for mention in self._mentions(review.id, cast("Record", _as_namespace(review)))
        ]
        bulk.insert(Mention, MENTION_COLUMNS, mentions)

    def hide(self, ids: Sequence[int]) -> None:
        """Hide reviews that a complete file lacks, and save that for an undo."""
        rows = without_revision(Review).filter(id__in=ids)
        self._save_changes(
            (
                stored.id,
                0,
                {"hidden": False} | undo_values(stored),
                {"hidden": True, "edited_fields": stored.edited_fields},
            )
            for stored in stored_reviews(ids).values()
        )
        trace = trace_of_hiding(hidden=True, reason=HiddenReason.ABSENT)
        rows.update(hidden=True, changed_by_batch=self.batch, updated_at=self.now, **trace)

    def _save_changes(
        self, changes: Iterable[tuple[int, int, dict[str, Any], dict[str, Any]]]
    ) -> None:
        """Save for an undo which row changed a review, and its values before and after."""
        if self.batch is None:
            return  # Only a batch can be undone.
        rows = [
            (self.batch.pk, review_id, row, json.dumps(before), json.dumps(after))
            for review_id, row, before, after in changes
        ]
        bulk.insert(ImportChange, ("batch_id", "review_id", "row", "before", "after"), rows)

    def finish(self) -> None:
        """Index the written reviews and refresh statistics; the last call."""
        index_pending_texts()
        bulk.analyze_table(Review, SEARCHED_COLUMNS, self._written)
        bulk.analyze_table(Mention, MENTION_COLUMNS, self._written)

    def _mentions(self, review_id: int, record: Record) -> Iterator[tuple[int, str, str]]:
        found = self.roster.match(
            record.text,
            date=record.date,
            technicians=record.named_technicians,
            services=record.named_services,
        )
        for kind, slug in found:
            yield review_id, kind, slug


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


def is_published_change(fields: Iterable[str]) -> bool:
    """Whether new values of these fields change the published review."""
    return not UNPUBLISHED.issuperset(fields)


def undo_values(stored: StoredReview) -> dict[str, Any]:
    """Values that an undo restores besides the fields that changed."""
    return {
        "edited_fields": stored.edited_fields,
        "changed_by_batch_id": stored.changed_by_batch_id,
    }


def _written(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of `FIELDS` as both databases take them."""
    *before, date, text, translated, language, url, reply, reply_date = values[:10]
    verified, alteration, updated_at, technicians, services = values[10:]
    return (
        *before,
        date.isoformat(),
        text,
        translated,
        language,
        url,
        reply,
        reply_date and reply_date.isoformat(),
        int(verified),
        alteration,
        updated_at and connection.ops.adapt_datetimefield_value(updated_at),
        _names(technicians),
        _names(services),
    )


def _as_namespace(review: StoredReview) -> SimpleNamespace:
    """The review by the names of its fields, as what derives from them is computed."""
    return SimpleNamespace(ulid=review.ulid, source=review.source, **review.named())


def _names(names: Sequence[str]) -> str:
    return json.dumps(list(names)) if names else "[]"
