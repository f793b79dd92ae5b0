"""Poll sources that are due, and store new content as a run.

The run and the new state of the connection are stored in one transaction, before anything is
imported.
"""

import datetime as dt
import logging
from typing import Any

from django.db import Error as DatabaseProblem
from django.db import transaction
from django.utils import timezone

from core.claims import Claim, ClaimLost
from core.secrets import SecretLost
from sources import runs, schedule
from sources.client import CredentialsRefused, SourceClient, SourceFailure
from sources.connectors import connector_of
from sources.connectors.protocol import Fetched, Poll, Unchanged
from sources.models import SourceConnection, SourceRun
from sources.runs import recovered

logger = logging.getLogger(__name__)

Request, Trigger = SourceConnection.Request, SourceRun.Trigger
CONCURRENT_POLLS = 2  # A slow source holds a thread of a worker.
OUR_FAULT = "An internal error prevented the source from being read. The log has the details."


def poll_due() -> int:
    """Poll the sources that are due. Return their number."""
    for done in range(runs.ROUNDS):
        now = timezone.now()
        is_busy = SourceConnection.objects.being_polled(now).count() >= CONCURRENT_POLLS
        claim = None if is_busy else schedule.claim_for_poll(SourceConnection.objects.due(now))
        if claim is None:
            return done
        with schedule.holding(claim):
            _poll(claim)
        runs.import_stored(claim.pk)
    return runs.ROUNDS


def _poll(claim: Claim) -> None:
    connection = claim.rows().first()
    if connection is None:
        raise ClaimLost
    try:
        fetched = _fetch(connection, claim)
    except (ClaimLost, DatabaseProblem):
        raise
    except SourceFailure as failure:
        _record_failure(claim, connection, failure)
    except SecretLost as lost:
        _record_failure(claim, connection, CredentialsRefused(str(lost)))
    except Exception:
        logger.exception("Source %d cannot be polled", connection.pk)
        _record_failure(claim, connection, SourceFailure(OUR_FAULT))
    else:
        _record_poll(claim, connection, fetched)


def _fetch(connection: SourceConnection, claim: Claim) -> Fetched | Unchanged:
    fetch = connector_of(connection).fetch
    if fetch is None:
        return Unchanged()
    return fetch(
        Poll(
            settings=connection.settings,
            secrets=connection.secrets,
            state=connection.fetch_state,
            client=SourceClient(on_request=claim.extend),
            announced=next(iter(connection.announced), ""),
        )
    )


def _record_failure(claim: Claim, connection: SourceConnection, failure: SourceFailure) -> None:
    now, failures = timezone.now(), connection.consecutive_failures + 1
    values: dict[str, Any] = {
        "last_look_at": now,
        "last_error": str(failure),
        "failing_since": connection.failing_since or now,
        "consecutive_failures": failures,
        "next_look_at": schedule.retry_at(now, failures, failure.retry_after_seconds),
        "requested": Request.NONE,
    }
    if failure.state is not None:
        values["fetch_state"] = dict(failure.state)
    if failure.needs_person and connection.state == SourceConnection.State.ACTIVE:
        values["state"] = SourceConnection.State.STOPPED
    logger.warning("Source %d: %s", connection.pk, failure)
    claim.store(**values)


def _record_poll(claim: Claim, connection: SourceConnection, fetched: Fetched | Unchanged) -> None:
    """Store the result of a poll, and the state of the next one."""
    now = timezone.now()
    values: dict[str, Any] = {
        "last_look_at": now,
        "looks": connection.looks + 1,
        "next_look_at": schedule.next_poll(now, connection.interval_seconds),
        "requested": Request.NONE,
    }
    if fetched.state is not None:
        values["fetch_state"] = dict(fetched.state)
    if isinstance(fetched, Unchanged) and fetched.poll_again_seconds is not None:
        values["next_look_at"] = now + dt.timedelta(seconds=fetched.poll_again_seconds)
        values["requested"] = connection.requested  # An administrator still waits for it.
    sha256 = connection.content_sha256
    if isinstance(fetched, Fetched):
        sha256 = values["content_sha256"] = runs.digest(fetched.content)
        if fetched.expected_rows is not None:
            values["expected_rows"] = fetched.expected_rows
    # Content that was set aside stays the error of the source until it changes.
    is_set_aside = runs.is_set_aside(connection, sha256)
    with transaction.atomic():
        if isinstance(fetched, Fetched) and (
            fetched.is_always_new or sha256 != connection.content_sha256
        ):
            is_person = connection.requested != Request.NONE
            run = runs.store(
                connection,
                fetched,
                trigger=Trigger.PERSON if is_person else Trigger.SCHEDULE,
                is_preview=connection.requested == Request.PREVIEW,
            )
            if is_set_aside:
                runs.end(run, SourceRun.State.SET_ASIDE, error=runs.SET_ASIDE)
                values["last_error"] = runs.SET_ASIDE
        else:
            values["looks_without_change"] = connection.looks_without_change + 1
            values |= {} if is_set_aside else recovered(now)
        claim.store(**values)
        _remove_announced(connection)


def _remove_announced(connection: SourceConnection) -> None:
    """Remove the announced id that this poll fetched. If another is left, it is due at once."""
    if connection.announced:
        row = SourceConnection.objects.select_for_update().get(pk=connection.pk)
        row.announced = [each for each in row.announced if each != connection.announced[0]]
        if row.announced:
            row.next_look_at = timezone.now()
        row.save(update_fields=["announced", "next_look_at"])
