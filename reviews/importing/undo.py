"""Take an applied import back: delete what it created, restore what it changed.

A review that a later import or an administrator has touched since stays as it is, and is listed.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from reviews.importing.batch import BatchNotReady, one_import_at_a_time
from reviews.importing.importer import CHUNK
from reviews.importing.merge import MENTIONING
from reviews.importing.report import SAMPLES, as_json
from reviews.importing.store import Writer, quiet
from reviews.models import ImportBatch, ImportChange, Review, Revision
from reviews.roster import load_roster


@dataclass(slots=True)
class Undo:
    """What an undo does or would do; `left` counts all that stays, `kept` shows the first."""

    deleted: int = 0
    restored: int = 0
    left: int = 0
    kept: list[dict[str, str]] = field(default_factory=list)

    def leave(self, review: Review, why: str) -> None:
        self.left += 1
        if len(self.kept) < SAMPLES:
            self.kept.append({"id": review.ulid, "review": str(review), "why": why})


def look(batch: ImportBatch) -> Undo:
    """What undoing the batch would do now."""
    return _take_back(batch, writer=None)


def undo(batch_id: int) -> Undo:
    """Take the batch back in one transaction and one revision; raises `BatchNotReady`."""
    with transaction.atomic():
        one_import_at_a_time()
        applied = ImportBatch.objects.filter(pk=batch_id, state=ImportBatch.State.APPLIED)
        batch = applied.select_for_update().first()
        if batch is None:
            raise BatchNotReady("Only an applied import can be undone, and only once.")
        now = timezone.now()
        done = _take_back(batch, writer=Writer(load_roster(), batch=batch, now=now))
        batch.state, batch.undone_at = ImportBatch.State.UNDONE, now
        batch.save(update_fields=["state", "undone_at"])
        if done.deleted or done.restored:
            Revision.objects.raise_reviews()
    return done


def _take_back(batch: ImportBatch, writer: Writer | None) -> Undo:
    done = Undo()
    _restore(batch, writer, done)
    _delete(batch, writer, done)
    return done


def _delete(batch: ImportBatch, writer: Writer | None, done: Undo) -> None:
    created = quiet(Review).filter(created_by_batch=batch)
    touched = Q(changed_by_batch__isnull=False) | ~Q(edited_fields=[])
    for review in created.filter(touched).order_by("id").iterator(CHUNK):
        by = review.changed_by_batch_id
        done.leave(review, "edited by hand" if by is None else "changed by a later import")
    untouched = created.exclude(touched)
    if writer is None:
        done.deleted = untouched.count()
        return
    # In portions, because deleting gathers what hangs on each review.
    while ids := list(untouched.values_list("id", flat=True)[:CHUNK]):
        quiet(Review).filter(id__in=ids).delete()
        done.deleted += len(ids)


def _restore(batch: ImportBatch, writer: Writer | None, done: Undo) -> None:
    changes = batch.changes.select_related("review").order_by("id").iterator(CHUNK)
    while portion := list(islice(changes, CHUNK)):
        _restore_some(batch, portion, writer, done)


def _restore_some(
    batch: ImportBatch, changes: Iterable[ImportChange], writer: Writer | None, done: Undo
) -> None:
    restored: list[Review] = []
    rematched: list[Review] = []
    for change in changes:
        review = change.review
        if review.changed_by_batch_id != batch.pk:
            done.leave(review, "changed by a later import")
        elif any(as_json(getattr(review, name)) != value for name, value in change.after.items()):
            done.leave(review, "edited by hand")
        else:
            done.restored += 1
            for name, value in _values(change.before):
                setattr(review, name, value)
            restored.append(review)
            if not MENTIONING.isdisjoint(change.before):
                rematched.append(review)
    if writer:
        writer.update(restored)
        writer.match_again(rematched)


def _values(before: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in before.items():
        if value is not None and name in {"date", "reply_date"}:
            yield name, dt.date.fromisoformat(value)
        elif value is not None and name == "modified_at":
            yield name, dt.datetime.fromisoformat(value)
        else:
            yield name, value
