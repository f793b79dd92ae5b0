"""Changes of connections and runs that people and senders ask for."""

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
from sources import polling, runs, tasks
from sources.connectors import connector_of
from sources.connectors.protocol import ConnectorForm, Fetched
from sources.models import SECRETS, SourceConnection, SourceRun, new_token
from sources.selectors import TOKEN, readable_secrets

State, Request = SourceConnection.State, SourceConnection.Request
MOST_STORED = 1_000  # Runs of one connection that wait to be imported.
MOST_ANNOUNCED = 20  # Ids that wait to be fetched.
# The fields that a person decides on; a worker writes the others.
DECIDED = (
    *("name", "kind", "settings", "encrypted_secret", "import_options", "interval_seconds"),
    *("is_complete", "holds_new", "next_look_at", "fetch_state", "content_sha256"),
    *("claimed_until", "claim_token"),
)


class RunNotWaiting(Exception):
    """The run waits for no decision; says what happened instead."""


class TooManyStored(Exception):
    """Too many runs of the connection wait to take another."""


# --- Connections ----------------------------------------------------------------------------------


@transaction.atomic
def save_connection(connection: SourceConnection, form: ConnectorForm) -> SourceConnection:
    """Store a connection with the valid form of its kind, and have its source looked at.

    Secrets that were left empty are kept. Changed settings make the next look start afresh, and
    what a worker fetches by the old ones is discarded.
    """
    before = connection.settings, connection.encrypted_secret
    kept = readable_secrets(connection)
    given = {**kept, **form.secrets()}
    connection.settings = {**connection.settings, **form.settings()}
    if (connector := connector_of(connection)) and connector.receive:
        given.setdefault(TOKEN, new_token())
    if given != kept:
        connection.secrets = given
    if (connection.settings, connection.encrypted_secret) != before:
        connection.fetch_state, connection.content_sha256 = {}, ""
    connection.claimed_until, connection.claim_token = None, ""
    connection.next_look_at = timezone.now()
    connection.save(update_fields=DECIDED if connection.pk else None)
    _read_again(connection)
    _look_soon()
    return connection


@contextmanager
def _locked(connection: SourceConnection, *fields: str) -> Iterator[SourceConnection]:
    """The stored connection, locked; these fields of it are saved in the end."""
    with transaction.atomic():
        stored = SourceConnection.objects.select_for_update().get(pk=connection.pk)
        yield stored
        stored.save(update_fields=fields)


def rotate_token(connection: SourceConnection) -> None:
    """Give a connection a new address; the former one is unknown at once."""
    with _locked(connection, "encrypted_secret") as stored:
        stored.secrets = {**readable_secrets(stored), TOKEN: new_token()}
    connection.encrypted_secret = stored.encrypted_secret


def reencrypt_secrets() -> tuple[int, int]:
    """Encrypt secrets with today's `SECRET_KEY`: the numbers of done and of lost ones."""
    return SECRETS.reencrypt(SourceConnection.objects.all(), "encrypted_secret")


def is_token(connection: SourceConnection, token: str) -> bool:
    """Whether this is the connection's token, compared in constant time."""
    stored = readable_secrets(connection).get(TOKEN) or new_token()  # No token equals the new one.
    return hmac.compare_digest(stored.encode(), token.encode())


def store_grant(connection: SourceConnection, refresh_token: str) -> None:
    """Keep what a person has granted at the maker; the next look starts afresh."""
    with _locked(connection, "encrypted_secret", "fetch_state") as stored:
        stored.secrets = {**readable_secrets(stored), "refresh_token": refresh_token}
        stored.fetch_state = {}


def choose_locations(connection: SourceConnection, locations: list[str]) -> None:
    """Read the reviews of these locations, `accounts/1/locations/2`, from now on."""
    # All of them are the business's own, so that no import asks which are.
    places = {f"locations/{each.partition('/locations/')[2]}": True for each in locations}
    fields = ("settings", "import_options", "fetch_state", "content_sha256")
    with _locked(connection, *fields) as stored:
        stored.settings = {**stored.settings, "locations": locations}
        stored.import_options = {**stored.import_options, "places": places}
        stored.fetch_state, stored.content_sha256 = {}, ""


def resume(connection: SourceConnection) -> None:
    """Look at a paused or stopped source again, now and at its interval."""
    SourceConnection.objects.filter(pk=connection.pk).update(
        state=State.ACTIVE, next_look_at=timezone.now(), consecutive_failures=0
    )
    _look_soon()


def pause(connection: SourceConnection) -> None:
    """Stop looking at a source, until it is resumed."""
    SourceConnection.objects.filter(pk=connection.pk).update(
        state=State.PAUSED, requested=Request.NONE
    )


@transaction.atomic
def look_now(connection: SourceConnection, request: str = Request.IMPORT) -> None:
    """Have a worker look at a source now, also at a paused one, and import what is new."""
    _read_again(connection)
    SourceConnection.objects.filter(pk=connection.pk).update(
        requested=request, next_look_at=timezone.now()
    )
    _look_soon()


def check_now(connection: SourceConnection) -> None:
    """Have a worker look at a source now, and show what it would import."""
    look_now(connection, Request.PREVIEW)


def _read_again(connection: SourceConnection) -> None:
    """Let content that was set aside be read once more, now that a person has looked."""
    set_aside = SourceRun.objects.filter(connection=connection, state=SourceRun.State.SET_ASIDE)
    if set_aside.update(state=SourceRun.State.FAILED):
        connection.fetch_state, connection.content_sha256 = {}, ""
        connection.save(update_fields=["fetch_state", "content_sha256"])


def accept_size(connection: SourceConnection) -> None:
    """Take the present number of the source's reviews as the usual one."""
    SourceConnection.objects.filter(pk=connection.pk).update(most_rows=F("last_rows"))


@transaction.atomic
def look_soon(connection: SourceConnection, *, announced: str) -> None:
    """Have a worker look at a source soon, since a push says that it has something."""
    with _locked(connection, "announced", "next_look_at") as stored:
        if announced and announced not in stored.announced:
            stored.announced = [*stored.announced, announced][-MOST_ANNOUNCED:]
        stored.next_look_at = timezone.now()
    _look_soon()


# --- Pushes ---------------------------------------------------------------------------------------


@transaction.atomic
def store_push(
    connection: SourceConnection, fetched: Fetched, *, rows: int, shape_key: str = ""
) -> SourceRun:
    """Store a push, to be imported by a worker; raises `TooManyStored`, `BodyRefused`.

    Pushes of one `shape_key` are imported together.
    """
    if runs.is_set_aside(connection, polling.digest(fetched.content)):
        raise BodyRefused(422, "This body has failed three times and is set aside. Change it.")
    stored = SourceRun.objects.filter(connection=connection, state=SourceRun.State.STORED)
    if stored.count() >= MOST_STORED:
        raise TooManyStored
    run = SourceRun.objects.create(
        **polling.run_values(connection, fetched),
        trigger=SourceRun.Trigger.PUSH,
        rows=rows,
        shape_key=shape_key,
    )
    SourceConnection.objects.filter(pk=connection.pk).update(last_look_at=timezone.now())
    _import_soon()
    return run


# --- Runs that wait for a person ------------------------------------------------------------------


@transaction.atomic
def approve(run: SourceRun, *, by: User | None) -> None:
    """Import a run that waits for approval; raises `RunNotWaiting`, `BatchNotReady`.

    A batch whose options have changed since, or whose file is no longer kept, is read again.
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
    _import_soon()


@transaction.atomic
def reject(run: SourceRun, *, by: User | None) -> None:
    """Give a run up that waits for approval; its content is not asked for again.

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


def _import_soon() -> None:
    tasks.import_stored.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.


def _look_soon() -> None:
    tasks.look_at_due.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.
