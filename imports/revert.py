"""Undo of an applied import: delete the reviews that it created, and restore changed ones.

A review that a later import or an administrator has changed since stays unchanged and is listed.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from imports.importer import CHUNK
from imports.merge import FIELDS, MENTIONING
from imports.models import ImportBatch, ImportChange
from imports.report import SAMPLES, as_json
from imports.writer import Writer, assign, stored_reviews
from reviews.models import Review, Revision
from reviews.models.deletion import delete_all
from reviews.models.review import HELD, HiddenReason, hiding_fields
from reviews.models.revision import without_revision
from reviews.roster import load_roster

State = ImportBatch.State
NOT_APPLIED = _("Only an applied import can be undone, and only once.")


@dataclass(slots=True)
class Undo:
    """Result of an undo; `left` counts unchanged reviews, `kept` lists the first of them."""

    deleted: int = 0
    restored: int = 0
    left: int = 0
    kept: list[dict[str, str]] = field(default_factory=list)

    def skip(self, review: Review, why: str) -> None:
        self.left += 1
        if len(self.kept) < SAMPLES:
            self.kept.append({"id": review.ulid, "review": str(review), "why": why})


def blocked_reason(batch: ImportBatch) -> str:
    """The reason why a batch cannot be undone, with the remedy, or an empty text."""
    if batch.state != State.APPLIED or batch.applied_at is None:
        return str(NOT_APPLIED)
    if batch.applied_at >= _kept_since():
        return ""
    return (
        gettext(
            "This import is more than %d days old. The data it replaced is no longer "
            "stored, so it cannot be undone. Hide or edit its reviews instead. "
            "(IMPORT_UNDO_DAYS sets how long the data is stored.)"
        )
        % settings.IMPORT_UNDO_DAYS
    )


def forget_changes() -> int:
    """Delete the changes of imports that can no longer be undone; return their number."""
    old = ImportChange.objects.filter(
        batch__applied_at__lt=_kept_since(), batch__state__in=[State.APPLIED, State.UNDONE]
    )
    forgotten = 0
    while ids := list(old.values_list("id", flat=True)[:CHUNK]):
        ImportChange.objects.filter(id__in=ids).delete()
        forgotten += len(ids)
    return forgotten


def _kept_since() -> dt.datetime:
    return timezone.now() - dt.timedelta(days=settings.IMPORT_UNDO_DAYS)


def preview(batch: ImportBatch) -> Undo:
    """Return the result that an undo of the batch would have now."""
    return _revert(batch, writer=None)


def undo(batch: ImportBatch) -> None:
    """Undo a locked batch in the caller's transaction, and raise the revision once."""
    now = timezone.now()
    writer = Writer(load_roster(), batch=batch, now=now)
    done = _revert(batch, writer)
    writer.finish()
    batch.state, batch.undone_at = State.UNDONE, now
    batch.clear_tries()
    counts = {"deleted": done.deleted, "restored": done.restored, "left": done.left}
    batch.preview["undone"] = counts
    batch.save()
    if done.deleted or done.restored:
        Revision.objects.raise_reviews()


def _revert(batch: ImportBatch, writer: Writer | None) -> Undo:
    done = Undo()
    rows = batch.changes.order_by("id").values_list("review_id", "before", "after")
    changes = rows.iterator(CHUNK)
    while chunk := list(islice(changes, CHUNK)):
        _restore(batch, chunk, writer, done)
    _delete(batch, writer, done)
    return done


def _delete(batch: ImportBatch, writer: Writer | None, done: Undo) -> None:
    created = without_revision(Review).filter(created_by_batch=batch)
    # Reviews that the import itself has held back.
    held = Q(edited_fields=["hidden"]) & HELD
    touched = Q(changed_by_batch__isnull=False) | ~(Q(edited_fields=[]) | held)
    for review in created.filter(touched).order_by("id").iterator(CHUNK):
        by = review.changed_by_batch_id
        why = gettext("edited by hand") if by is None else gettext("changed by a later import")
        done.skip(review, why)
    untouched = created.exclude(touched)
    done.deleted = untouched.count()
    if writer:
        ids = list(untouched.order_by("id").values_list("id", flat=True))
        # The next import of the file may create them again.
        delete_all(ids, kept_out=False)


def _restore(
    batch: ImportBatch,
    changes: Sequence[tuple[int, dict[str, Any], dict[str, Any]]],
    writer: Writer | None,
    done: Undo,
) -> None:
    current = stored_reviews([review_id for review_id, _, _ in changes], locked=writer is not None)
    stored = {field.attname: field for field in Review._meta.concrete_fields}
    restored, rematched = [], []
    for review_id, before, after in changes:
        review = current.get(review_id)
        if review is None:
            continue  # Deleted in the meantime.
        if review.changed_by_batch_id != batch.pk:
            done.skip(review, gettext("changed by a later import"))
        elif any(as_json(getattr(review, name)) != value for name, value in after.items()):
            done.skip(review, gettext("edited by hand"))
        else:
            done.restored += 1
            replaced = {name: stored[name].to_python(value) for name, value in before.items()}
            if not writer:
                continue
            fields = replaced.keys() & set(FIELDS)
            # An undo is a change like any other, so the review gets a new time of change.
            replaced["modified_at"] = review.modified_at
            if replaced.get("hidden") is False or writer.is_published_change(fields):
                replaced["modified_at"] = writer.next_change()
            if replaced.get("hidden"):
                replaced |= hiding_fields(hidden=True, reason=HiddenReason.ABSENT)
            assign(review, **replaced)
            restored.append(review)
            if not MENTIONING.isdisjoint(fields):
                rematched.append(review)
    if writer:
        writer.update(restored, mentioning=rematched)
