"""Store runs, import them after their preview and approval, and record how each ended.

A worker may be killed anywhere. The next worker finds the stored run again, and importing a run
twice changes nothing.
"""

import datetime as dt
import hashlib
import logging
import threading
from contextlib import nullcontext
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.claims import Claim
from core.secrets import SecretLost
from imports import services as import_services
from imports.batch import BatchNotReady, has_used_all_tries
from imports.models import ImportBatch, ImportOptions, ImportUpload
from reviews import services as review_services
from reviews.models import Review
from reviews.models.review import HiddenReason
from sources import hold_reasons, schedule
from sources.connectors import connector_of
from sources.connectors.protocol import Fetched
from sources.models import SECRETS, SourceConnection, SourceRun
from sources.schedule import TryLater, claim_for_import, holding

logger = logging.getLogger(__name__)

Request, State, Trigger = SourceConnection.Request, SourceRun.State, SourceRun.Trigger
MAX_MERGED = 500  # Pushes of one batch.
RUNS_AT_ONCE = 20  # Of one connection, so that its backlog does not delay another.
ROUNDS = 50  # Of one call. The next sweep goes on.
MAX_FAILURES = 3  # Of the same content, which is then set aside.
_importing = threading.Lock()  # An import may take minutes; a process runs one at a time.
SET_ASIDE = (
    "The same content has failed three times and is set aside. It is read again when it changes, "
    "or when you choose “Check now”."
)
PREVIEW = "You asked to see it first. Nothing is imported until you approve it."


def store(connection: SourceConnection, fetched: Fetched, **values: Any) -> SourceRun:
    """Store the fetched content as a run. `values` are further fields of the run."""
    return SourceRun.objects.create(
        connection=connection,
        file_name=fetched.file_name[:255],
        is_whole=fetched.is_whole,
        deleted_ids=list(fetched.deleted_ids),
        error=str(fetched.state.get("missing", "")),
        state_before=connection.fetch_state,
        **_content_fields(fetched.content),
        **values,
    )


def _content_fields(content: bytes) -> dict[str, Any]:
    return {"content": SECRETS.encrypt(content), "sha256": digest(content), "size": len(content)}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def import_stored(connection_id: int | None = None) -> int:
    """Import the stored runs of all sources, or of one. Return the number of served connections.

    The rounds alternate between connections, so each waits for one import of every other at most.
    Returns 0 if another thread of this process imports. The next sweep imports the remaining runs.
    """
    if not _importing.acquire(blocking=False):
        return 0
    served: set[int] = set()
    try:
        for done in range(ROUNDS):
            rows = SourceConnection.objects.with_stored_runs()
            if connection_id:
                rows = rows.filter(pk=connection_id)
            claim = claim_for_import(rows.exclude(pk__in=served)) or claim_for_import(rows)
            if claim is None:
                return done
            served = {*served, claim.pk} if claim.pk not in served else set()
            with holding(claim):
                import_claimed(claim)
        return ROUNDS
    finally:
        _importing.release()


def import_claimed(claim: Claim) -> None:
    """Import the oldest stored runs of a connection. Further runs wait for the next call."""
    stored = SourceRun.objects.filter(connection=claim.pk, state=State.STORED)
    _merge_pushes(stored)
    for pk in list(stored.order_by("pk").values_list("pk", flat=True)[:RUNS_AT_ONCE]):
        claim.extend()
        run = stored.select_related("connection").filter(pk=pk).first()
        if run is not None:
            _import(run, claim)


def _merge_pushes(stored: QuerySet[SourceRun]) -> None:
    """Merge the waiting pushes of each shape into one run, in the order of their arrival.

    The merged run makes one batch and one publication.
    """
    waiting = stored.filter(trigger=Trigger.PUSH, batch=None, is_approved=False, is_preview=False)
    keys = waiting.exclude(shape_key="").order_by("shape_key").values_list("shape_key", flat=True)
    for key in keys.distinct():
        with transaction.atomic():
            pushes = list(
                waiting.filter(shape_key=key).order_by("pk").select_for_update()[:MAX_MERGED]
            )
            if len(pushes) < 2:
                continue
            try:
                contents = [SECRETS.decrypt(bytes(push.content or b"")) for push in pushes]
            except SecretLost:
                continue  # The import of each push reports the lost secret.
            merged = b"\n".join(filter(None, contents))
            first, *others = pushes
            first.save_fields(
                **_content_fields(merged),
                rows=sum(push.rows for push in pushes),
                deleted_ids=list(dict.fromkeys(one for push in pushes for one in push.deleted_ids)),
            )
            SourceRun.objects.filter(pk__in=[push.pk for push in others]).update(
                state=State.MERGED, merged_into=first, content=None, finished_at=timezone.now()
            )


def _import(run: SourceRun, claim: Claim) -> None:
    """Import a stored run, or hold it for approval."""
    if run.deleted_ids and not run.size:
        _import_deletions(run)
        return
    try:
        batch = _preview(run)
    except SecretLost as lost:
        fail(run, str(lost))
        return
    claim.extend()
    if batch.state == ImportBatch.State.CONFIRMING:
        _hold(run, batch, [hold_reasons.QUESTIONS, *filter(None, [batch.refusal])])
        return
    if has_used_all_tries(batch):
        _hold(run, batch, [batch.refusal])
        return
    if batch.state == ImportBatch.State.PREVIEWED:
        reasons = [] if run.is_approved else list(hold_reasons.reasons(batch, run))
        if run.is_preview and not run.is_approved and (batch.touched or reasons):
            reasons = [PREVIEW, *reasons]
        if reasons:
            _hold(run, batch, reasons)
            return
        if not (batch.touched or batch.asks_to_hide or run.deleted_ids):
            finish(run, batch)
            return
        _apply(run, batch)
    _end_like_batch(run, batch)


def _end_like_batch(run: SourceRun, batch: ImportBatch) -> None:
    """End a run in the state of its batch. Raises `TryLater` if the batch has not ended."""
    is_left_out = batch.skipped and not batch.rejected  # All rows, on purpose: no failure.
    if batch.state == ImportBatch.State.APPLIED or (
        batch.state == ImportBatch.State.REFUSED and is_left_out
    ):
        finish(run, batch)
    elif batch.state == ImportBatch.State.REFUSED:
        fail(run, batch.refusal)
    elif batch.state in {ImportBatch.State.CANCELLED, ImportBatch.State.UNDONE}:
        end(run, State.REJECTED)
    else:
        # Another worker applies the batch, or the disk of the database is full.
        raise TryLater


def _preview(run: SourceRun) -> ImportBatch:
    """Return the batch of a run, read for a preview."""
    batch = run.batch or upload(run)
    import_services.run_now(batch)
    batch.refresh_from_db()
    return batch


def upload(run: SourceRun) -> ImportBatch:
    """Store the run's content as an import batch."""
    with transaction.atomic():
        content = SECRETS.decrypt(bytes(run.content)) if run.content else b""
        batch = import_services.upload(
            content, file_name=run.file_name, options=options_of(run), by=run.decided_by
        )
        run.save_fields(batch=batch)
    return batch


def options_of(run: SourceRun) -> ImportOptions:
    """Return the import options of a run.

    Missing reviews are hidden only if the connection and the content are complete.
    """
    stored = {**ImportOptions().as_json(), **run.connection.import_options}
    stored["complete"] = run.connection.is_complete and run.is_whole
    stored["hide_many"] = False
    stored["origin"] = run.connection.origin
    stored["last_wins"] = run.trigger == Trigger.PUSH
    return ImportOptions.from_json(stored)


def _hold(run: SourceRun, batch: ImportBatch, reasons: list[str]) -> None:
    run.save_fields(
        state=State.WAITING,
        reasons=reasons,
        rows=batch.rows,
        new=batch.new,
        changed=batch.changed,
    )
    logger.warning("A run of source %d waits for approval: %s", run.connection_id, reasons[0])


def _apply(run: SourceRun, batch: ImportBatch) -> None:
    """Import the previewed batch. New reviews stay hidden if the connection holds them."""
    holds_new = run.connection.holds_new
    # One transaction, so that a held review is never public.
    with transaction.atomic() if holds_new or run.deleted_ids else nullcontext():
        try:
            ids_are_sure = run.is_approved and bool(batch.preview.get("asks_about_ids"))
            import_services.apply(batch, hide_many=run.is_approved, ids_are_sure=ids_are_sure)
            import_services.run_now(batch)
        except BatchNotReady as error:
            logger.warning("Batch %d: %s", batch.pk, error)
        batch.refresh_from_db()
        if batch.state != ImportBatch.State.APPLIED:
            return
        if holds_new:
            review_services.hide(Review.objects.filter(created_by_batch=batch))
        _hide_deleted(run)


def _hide_deleted(run: SourceRun) -> None:
    """Hide reviews that were deleted at the source. A later import may show them again."""
    if run.deleted_ids:
        deleted = hold_reasons.deleted_reviews(run)
        run.hidden = deleted.update(hidden=True, hidden_reason=HiddenReason.ABSENT)


def _import_deletions(run: SourceRun) -> None:
    """Import a run that only lists deleted reviews."""
    reasons = [] if run.is_approved else list(hold_reasons.deletion_reasons(run))
    if reasons or (run.is_preview and not run.is_approved):
        run.save_fields(state=State.WAITING, reasons=[*([PREVIEW] * run.is_preview), *reasons])
        return
    now = timezone.now()
    with transaction.atomic():
        _hide_deleted(run)
        changed = {"last_change_at": now} if run.hidden else {}
        SourceConnection.objects.filter(pk=run.connection_id).update(**recovered(now), **changed)
        end(run, State.IMPORTED if run.hidden else State.UNCHANGED, hidden=run.hidden)


def fail(run: SourceRun, error: str) -> None:
    """End a run that cannot be imported, and schedule another poll.

    Content that fails for the third time is set aside. It is not read again until it changes.
    """
    connection, now = run.connection, timezone.now()
    failed = SourceRun.objects.filter(connection=connection, sha256=run.sha256, state=State.FAILED)
    has_used_up = run.batch is not None and run.batch.tries >= MAX_FAILURES
    is_last = has_used_up or failed.count() + 1 >= MAX_FAILURES
    values: dict[str, Any] = {"last_error": f"{error} {SET_ASIDE}" if is_last else error}
    with transaction.atomic():
        end(run, State.SET_ASIDE if is_last else State.FAILED, error=values["last_error"])
        if run.batch and run.batch.state != ImportBatch.State.REFUSED:
            run.batch.delete()  # A refused batch stays as the report of the run.
        if run.trigger != Trigger.PUSH:
            values["failing_since"] = connection.failing_since or now
            values["consecutive_failures"] = failures = connection.consecutive_failures + 1
            values["next_look_at"] = schedule.retry_at(now, failures)
            if not is_last:
                values |= {"fetch_state": run.state_before, "content_sha256": ""}
        SourceConnection.objects.filter(pk=connection.pk).update(**values)


def is_set_aside(connection: SourceConnection, sha256: str) -> bool:
    """Whether this content has failed too often to be read again."""
    rows = SourceRun.objects.filter(connection=connection, sha256=sha256, state=State.SET_ASIDE)
    return rows.exists()


def finish(run: SourceRun, batch: ImportBatch) -> None:
    """Record the changes of a batch, and the figures that the next run is compared with.

    A batch without changes is deleted, and so is a scheduled run that brought nothing.
    """
    connection, now = run.connection, timezone.now()
    has_changed = bool(batch.touched or run.hidden)
    values = recovered(now)
    if has_changed:
        values["last_change_at"] = now
    elif run.trigger != Trigger.PUSH:
        values["looks_without_change"] = connection.looks_without_change + 1
    if run.is_whole:
        values["last_rows"] = batch.rows
        values["most_rows"] = max(batch.rows, connection.most_rows)
    values["last_format"] = hold_reasons.format_to_compare(batch, run)
    values["last_place"] = hold_reasons.place_of(batch.preview) or connection.last_place
    values["import_options"] = {**connection.import_options, **_answers(batch)}
    rejected = _rejection_summary(batch)
    with transaction.atomic():
        SourceConnection.objects.filter(pk=connection.pk).update(**values)
        end(
            run,
            State.IMPORTED if has_changed else State.UNCHANGED,
            rows=batch.rows,
            new=batch.new,
            changed=batch.changed,
            hidden=batch.hidden + run.hidden,
            error=f"{run.error} {rejected}".strip(),
        )
        if not has_changed:
            batch.delete()
            if run.trigger == Trigger.SCHEDULE and not rejected:
                run.delete()


def _rejection_summary(batch: ImportBatch) -> str:
    """Return a sentence on rejected rows, or on rows left out if the file held nothing else."""
    if not batch.rejected:
        left_out = [warning for warning in batch.warnings if " left out: " in warning]
        return "" if batch.good else " ".join(left_out)
    first = batch.errors[0]["message"] if batch.errors else ""
    return f"{batch.rejected} of {batch.rows} rows cannot be read. The first: {first}"


def _answers(batch: ImportBatch) -> dict[str, Any]:
    """Return the answers about this file that also apply to later files.

    The meaning of columns is stored with their shape, unless they have no headings.
    """
    options = batch.options
    answers = {"source": options["source"]} if options.get("source") else {}
    if options.get("heading_row") == 0:
        answers |= {"heading_row": 0, "columns": options.get("columns", {})}
    return answers


def end(run: SourceRun, state: str, **values: Any) -> None:
    """Store the end of a run, and delete its content and that of its import."""
    run.save_fields(state=state, content=None, finished_at=timezone.now(), **values)
    ImportUpload.objects.filter(batch=run.batch_id).delete()
    finish_file = connector_of(run.connection).finish
    if finish_file and run.trigger != Trigger.PUSH:
        error = values.get("error", "") or ("Rejected." if state == State.REJECTED else "")
        transaction.on_commit(partial(finish_file, run.file_name, run.sha256, error), robust=True)


def recovered(now: dt.datetime) -> dict[str, Any]:
    """Return the fields of a connection that no longer fails."""
    return {
        "last_success_at": now,
        "last_error": "",
        "failing_since": None,
        "consecutive_failures": 0,
    }
