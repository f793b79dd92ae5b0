"""Change connections and runs on behalf of administrators and senders."""

import hmac
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from core.http.request_body import BodyRefused
from imports import services as import_services
from imports.batch import BatchNotReady
from imports.models import ImportBatch, ImportUpload
from sources import runs, tasks
from sources.connectors import connector_of
from sources.connectors.protocol import ConnectorForm, Fetched
from sources.models import SECRETS, SourceConnection, SourceRun, new_token
from sources.selectors import TOKEN, readable_secrets

State, Request = SourceConnection.State, SourceConnection.Request
MAX_STORED = 1_000  # Runs of one connection that wait to be imported.
MAX_ANNOUNCED = 20  # Ids that wait to be fetched.
# Saving a connection leaves all other fields to the workers.
SAVED_FIELDS = (
    *("name", "kind", "settings", "encrypted_secret", "import_options", "interval_seconds"),
    *("is_complete", "holds_new", "next_look_at", "fetch_state", "content_sha256"),
    *("claimed_until", "claim_token"),
)


class RunNotWaiting(Exception):
    """A run that does not wait for approval. The message gives its state."""


class TooManyStored(Exception):
    """The queue of stored runs of the connection is full."""


# --- Connections ----------------------------------------------------------------------------------


@transaction.atomic
def save_connection(connection: SourceConnection, form: ConnectorForm) -> SourceConnection:
    """Store a connection with the valid form of its connector, and poll its source.

    Secrets that were left empty keep their stored values. Changed settings reset the state of the
    next poll. The result of a poll that is running with the old settings is discarded.
    """
    before = connection.settings, connection.encrypted_secret
    kept = readable_secrets(connection)
    given = {**kept, **form.secrets()}
    connection.settings = {**connection.settings, **form.settings()}
    if connector_of(connection).takes_posts:
        given.setdefault(TOKEN, new_token())
    if given != kept:
        connection.secrets = given
    if (connection.settings, connection.encrypted_secret) != before:
        connection.fetch_state, connection.content_sha256 = {}, ""
    connection.claimed_until, connection.claim_token = None, ""
    connection.next_look_at = timezone.now()
    connection.save(update_fields=SAVED_FIELDS if connection.pk else None)
    _read_again(connection)
    _enqueue_polls()
    return connection


@contextmanager
def _locked(connection: SourceConnection, *fields: str) -> Iterator[SourceConnection]:
    """Lock the stored connection, and save these fields at the end of the block."""
    with transaction.atomic():
        stored = SourceConnection.objects.select_for_update().get(pk=connection.pk)
        yield stored
        stored.save(update_fields=fields)


def rotate_token(connection: SourceConnection) -> None:
    """Give a connection a new push address. The former address is invalid at once."""
    with _locked(connection, "encrypted_secret") as stored:
        stored.secrets = {**readable_secrets(stored), TOKEN: new_token()}
    connection.encrypted_secret = stored.encrypted_secret


def reencrypt_secrets() -> tuple[int, int]:
    """Encrypt secrets with the current `SECRET_KEY`. Return the numbers of done and lost ones."""
    return SECRETS.reencrypt(SourceConnection.objects.all(), "encrypted_secret")


def is_token(connection: SourceConnection, token: str) -> bool:
    """Compare a token with that of the connection in constant time."""
    # Without a stored token, compare with a random one, so that both cases take the same time.
    stored = readable_secrets(connection).get(TOKEN) or new_token()
    return hmac.compare_digest(stored.encode(), token.encode())


def store_grant(connection: SourceConnection, refresh_token: str) -> None:
    """Store the refresh token of an OAuth grant, and reset the state of the next poll."""
    with _locked(connection, "encrypted_secret", "fetch_state") as stored:
        stored.secrets = {**readable_secrets(stored), "refresh_token": refresh_token}
        stored.fetch_state = {}


def choose_locations(connection: SourceConnection, locations: list[str]) -> None:
    """Choose the locations to import, each like `accounts/1/locations/2`."""
    # All of them belong to the business, so imports do not ask about them.
    places = {f"locations/{each.partition('/locations/')[2]}": True for each in locations}
    fields = ("settings", "import_options", "fetch_state", "content_sha256")
    with _locked(connection, *fields) as stored:
        stored.settings = {**stored.settings, "locations": locations}
        stored.import_options = {**stored.import_options, "places": places}
        stored.fetch_state, stored.content_sha256 = {}, ""


def resume(connection: SourceConnection) -> None:
    """Poll a paused or stopped source again, now and at its interval."""
    SourceConnection.objects.filter(pk=connection.pk).update(
        state=State.ACTIVE, next_look_at=timezone.now(), consecutive_failures=0
    )
    _enqueue_polls()


def pause(connection: SourceConnection) -> None:
    """Stop polling a source until it is resumed."""
    SourceConnection.objects.filter(pk=connection.pk).update(
        state=State.PAUSED, requested=Request.NONE
    )


@transaction.atomic
def poll_now(connection: SourceConnection, request: str = Request.IMPORT) -> None:
    """Poll a source now, even a paused one, and import new reviews."""
    _read_again(connection)
    SourceConnection.objects.filter(pk=connection.pk).update(
        requested=request, next_look_at=timezone.now()
    )
    _enqueue_polls()


def preview_now(connection: SourceConnection) -> None:
    """Poll a source now, and hold the run as a preview."""
    poll_now(connection, Request.PREVIEW)


def _read_again(connection: SourceConnection) -> None:
    """Release content that was set aside, so that it is read once more."""
    set_aside = SourceRun.objects.filter(connection=connection, state=SourceRun.State.SET_ASIDE)
    if set_aside.update(state=SourceRun.State.FAILED):
        connection.fetch_state, connection.content_sha256 = {}, ""
        connection.save(update_fields=["fetch_state", "content_sha256"])


def accept_size(connection: SourceConnection) -> None:
    """Accept the current number of reviews as the usual one."""
    SourceConnection.objects.filter(pk=connection.pk).update(most_rows=F("last_rows"))


@transaction.atomic
def poll_soon(connection: SourceConnection, *, announced: str) -> None:
    """Poll a source after a push that announced new content."""
    with _locked(connection, "announced", "next_look_at") as stored:
        if announced and announced not in stored.announced:
            stored.announced = [*stored.announced, announced][-MAX_ANNOUNCED:]
        stored.next_look_at = timezone.now()
    _enqueue_polls()


# --- Pushes ---------------------------------------------------------------------------------------


@transaction.atomic
def store_push(
    connection: SourceConnection, fetched: Fetched, *, rows: int, shape_key: str = ""
) -> SourceRun:
    """Store a push for a worker to import. Raises `TooManyStored`, `BodyRefused`.

    Pushes with the same `shape_key` are imported together.
    """
    if runs.is_set_aside(connection, runs.digest(fetched.content)):
        raise BodyRefused(422, "This body has failed three times and is set aside. Change it.")
    stored = SourceRun.objects.filter(connection=connection, state=SourceRun.State.STORED)
    if stored.count() >= MAX_STORED:
        raise TooManyStored
    run = runs.store(
        connection, fetched, trigger=SourceRun.Trigger.PUSH, rows=rows, shape_key=shape_key
    )
    SourceConnection.objects.filter(pk=connection.pk).update(last_look_at=timezone.now())
    _enqueue_imports()
    return run


# --- Runs that wait for approval ------------------------------------------------------------------


@transaction.atomic
def approve(run: SourceRun, *, by: User | None) -> None:
    """Import a run that waits for approval. Raises `RunNotWaiting`, `BatchNotReady`.

    The batch is read again if its options have changed or its file is no longer stored.
    """
    run = _waiting(run)
    batch = run.batch
    if batch and batch.state != ImportBatch.State.APPLIED:
        has_ended = batch.state in {ImportBatch.State.CANCELLED, ImportBatch.State.UNDONE}
        options = {**batch.options, **run.connection.import_options}
        if has_ended or not ImportUpload.objects.filter(batch=batch).exists():
            batch = None
        else:
            if options != batch.options or batch.state == ImportBatch.State.REFUSED:
                batch.options, batch.state = options, ImportBatch.State.UPLOADED
            batch.refusal = ""
            batch.save(update_fields=["options", "state", "refusal"])
    run.save_fields(
        batch=batch, state=SourceRun.State.STORED, is_approved=True, decided_by=by, reasons=[]
    )
    if batch is None and run.size:
        runs.upload(run)
    _enqueue_imports()


@transaction.atomic
def reject(run: SourceRun, *, by: User | None) -> None:
    """Reject a run that waits for approval, and do not fetch its content again.

    Raises `RunNotWaiting`.
    """
    run = _waiting(run)
    if run.batch:
        try:
            import_services.cancel(run.batch)
        except BatchNotReady as error:
            raise RunNotWaiting(str(error)) from None
    runs.end(run, SourceRun.State.REJECTED, decided_by=by)


def _waiting(run: SourceRun) -> SourceRun:
    locked = SourceRun.objects.select_for_update(of=("self",)).select_related("connection")
    stored = locked.get(pk=run.pk)
    if stored.state != SourceRun.State.WAITING:
        state = stored.get_state_display().lower()
        raise RunNotWaiting(f"This run waits for no decision: {state}.")
    return stored


def _enqueue_imports() -> None:
    tasks.import_stored.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.


def _enqueue_polls() -> None:
    tasks.poll_due.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.
