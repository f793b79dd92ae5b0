"""Reasons to hold a run for approval before it is imported, each a sentence."""

import datetime as dt
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db.models import QuerySet, Sum
from django.utils import timezone

from imports.importer import HIDDEN_MOST, HIDDEN_SHARE
from imports.models import ImportBatch
from review_exports.formats.generic import LINES, OBJECTS, TABLE
from reviews.models import Review
from sources.models import SourceRun

GENERIC = frozenset({TABLE.name, OBJECTS.name, LINES.name})  # Formats of any sender.
REJECTED_SHARE = 0.1
MEAN_CHANGE = 0.3
MIN_RATED = 20  # With fewer reviews, one honest review may move the mean by more.
_MESSAGES = Path(__file__).with_name("messages.toml").read_text(encoding="utf-8")
SENTENCES = tomllib.loads(_MESSAGES)["hold_reasons"]
QUESTIONS = SENTENCES["questions"]


def reasons(batch: ImportBatch, run: SourceRun) -> Iterator[str]:
    """Yield the reasons why the previewed batch of a run needs approval."""
    connection, preview = run.connection, batch.preview
    if batch.asks_for_source:
        yield SENTENCES["no_source"]
    # One bad row of a few says nothing about the rest.
    if batch.rejected > 1 and batch.rejected > REJECTED_SHARE * batch.rows:
        yield SENTENCES["rejected"].format(rejected=batch.rejected, rows=batch.rows)
    is_any = run.trigger == SourceRun.Trigger.PUSH and connection.last_format in GENERIC
    if connection.last_format and not is_any and batch.format not in {"", connection.last_format}:
        yield SENTENCES["format"].format(now=batch.format, before=connection.last_format)
    place = place_of(preview)
    if connection.last_place and place and place != connection.last_place:
        yield SENTENCES["place"].format(now=place, before=connection.last_place)
    if replaced := preview.get("replaced"):
        yield SENTENCES["replaced"].format(replaced=replaced)
    hidden_today, first_mean = changes_of_last_day(run)
    if batch.hidden and exceeds_limit(batch.hidden + hidden_today, hidden_today):
        yield SENTENCES["hidden"].format(hidden=batch.hidden, changes_of_last_day=hidden_today)
    if batch.asks_to_hide:
        yield SENTENCES["missing"].format(missing=preview["missing"], of=preview["missing_of"])
    before, after = first_mean or preview.get("rating_before"), preview.get("rating_after")
    has_moved = before is not None and after is not None and abs(after - before) > MEAN_CHANGE
    if has_moved and Review.objects.visible().count() >= MIN_RATED:
        yield SENTENCES["mean"].format(before=before, after=after)
    yield from deletion_reasons(run)


def changes_of_last_day(run: SourceRun) -> tuple[int, float | None]:
    """Return how many reviews the source hid in the last day, and the mean rating before that."""
    since = timezone.now() - dt.timedelta(days=1)
    ended = SourceRun.objects.filter(connection=run.connection_id, finished_at__gte=since)
    hidden = ended.filter(is_approved=False).aggregate(total=Sum("hidden"))["total"] or 0
    first = ended.exclude(batch=None).order_by("finished_at", "pk").select_related("batch").first()
    mean = first.batch.preview.get("rating_before") if first and first.batch else None
    return hidden, mean


def exceeds_limit(hidden: int, hidden_before: int) -> bool:
    """Whether hiding this many reviews needs approval.

    `hidden` includes the reviews `hidden_before`, which count towards the total.
    """
    of = Review.objects.visible().count() + hidden_before
    return hidden > 1 and hidden > min(HIDDEN_MOST, HIDDEN_SHARE * of)


def format_to_compare(batch: ImportBatch, run: SourceRun) -> str:
    """Return the format that the next run is compared with, or "" to accept any format.

    A generic push is often a manual test, which says nothing about the format of the provider. An
    approved generic push leaves the next format open.
    """
    if run.trigger == SourceRun.Trigger.PUSH and batch.format in GENERIC:
        return "" if run.is_approved else run.connection.last_format
    return batch.format or run.connection.last_format


def place_of(preview: dict[str, Any]) -> str:
    """Return the place that the reviews of a file belong to, or "" for none or several."""
    ours = [name for name, _, is_ours in (preview.get("shape") or {}).get("places", ()) if is_ours]
    return ours[0][:250] if len(ours) == 1 else ""


# --- Deletions reported by the source -------------------------------------------------------------


def deleted_reviews(run: SourceRun) -> QuerySet[Review]:
    """Visible reviews that were deleted at the source, according to the run."""
    rows = Review.objects.visible().filter(external_id__in=run.deleted_ids)
    source = run.connection.import_options.get("source")
    if source:
        return rows.filter(source=source)
    # Another site may use the same id.
    return rows.filter(created_by_batch__options__origin=run.connection.origin)


def deletion_reasons(run: SourceRun) -> Iterator[str]:
    """Yield the reasons why deletions reported by a source need approval."""
    if not run.deleted_ids:
        return
    count, (hidden_today, _) = deleted_reviews(run).count(), changes_of_last_day(run)
    if count and exceeds_limit(count + hidden_today, hidden_today):
        of = Review.objects.visible().count() + hidden_today
        yield SENTENCES["deleted"].format(deleted=count + hidden_today, of=of)
