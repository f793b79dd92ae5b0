"""Looks at sources that are due: fetch, and store what is new as a run.

What is fetched is stored with the connection's new state in one transaction, before anything is
imported.
"""

import datetime as dt
import hashlib
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
from sources.connectors.protocol import Fetched, Look, Unchanged
from sources.models import SECRETS, SourceConnection, SourceRun
from sources.runs import success

logger = logging.getLogger(__name__)

Request, Trigger = SourceConnection.Request, SourceRun.Trigger
LOOKS_AT_ONCE = 2  # A slow source holds a thread of a worker.
OUR_FAULT = "A fault of ours kept the source from being read. The log has the details."
NO_KIND = "This version does not know the kind “{}”. Upgrade, or delete the source."


def look_at_due() -> int:
    """Look at the sources that are due; how many."""
    for done in range(runs.ROUNDS):
        now = timezone.now()
        is_busy = SourceConnection.objects.looked_at(now).count() >= LOOKS_AT_ONCE
        claim = None if is_busy else schedule.claim_for_look(SourceConnection.objects.due(now))
        if claim is None:
            return done
        with schedule.working(claim):
            _look(claim)
        runs.import_stored(claim.pk)
    return runs.ROUNDS


def _look(claim: Claim) -> None:
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
        logger.exception("Source %d cannot be looked at", connection.pk)
        _record_failure(claim, connection, SourceFailure(OUR_FAULT))
    else:
        _record_look(claim, connection, fetched)


def _fetch(connection: SourceConnection, claim: Claim) -> Fetched | Unchanged:
    kind = connector_of(connection)
    if kind is None:
        raise SourceFailure(NO_KIND.format(connection.kind))
    if kind.fetch is None:
        return Unchanged()
    return kind.fetch(
        Look(
            settings=connection.settings,
            secrets=connection.secrets,
            state=connection.fetch_state,
            client=SourceClient(on_request=claim.extend),
            announced=next(iter(connection.announced), ""),
        )
    )


def _record_failure(claim: Claim, connection: SourceConnection, failure: SourceFailure) -> None:
    """Store why a look brought nothing, and when the next one is."""
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


def _record_look(claim: Claim, connection: SourceConnection, fetched: Fetched | Unchanged) -> None:
    """Store the result of a look with the start of the next."""
    now = timezone.now()
    values: dict[str, Any] = {
        "last_look_at": now,
        "looks": connection.looks + 1,
        "next_look_at": schedule.next_look(now, connection.interval_seconds),
        "requested": Request.NONE,
    }
    if fetched.state is not None:
        values["fetch_state"] = dict(fetched.state)
    if isinstance(fetched, Unchanged) and fetched.look_again_seconds is not None:
        values["next_look_at"] = now + dt.timedelta(seconds=fetched.look_again_seconds)
        values["requested"] = connection.requested  # A person still waits for it.
    sha256 = connection.content_sha256
    if isinstance(fetched, Fetched):
        sha256 = values["content_sha256"] = digest(fetched.content)
        if fetched.expected_rows is not None:
            values["expected_rows"] = fetched.expected_rows
    # Content that was set aside stays the source's error as long as it is there.
    is_set_aside = runs.is_set_aside(connection, sha256)
    with transaction.atomic():
        if isinstance(fetched, Fetched) and (
            fetched.is_always_new or sha256 != connection.content_sha256
        ):
            is_person = connection.requested != Request.NONE
            run = SourceRun.objects.create(
                **run_values(connection, fetched),
                trigger=Trigger.PERSON if is_person else Trigger.SCHEDULE,
                is_preview=connection.requested == Request.PREVIEW,
            )
            if is_set_aside:
                runs.end(run, SourceRun.State.SET_ASIDE, error=runs.SET_ASIDE)
                values["last_error"] = runs.SET_ASIDE
        else:
            values["looks_without_change"] = connection.looks_without_change + 1
            values |= {} if is_set_aside else success(now)
        claim.store(**values)
        _forget_announced(connection)


def _forget_announced(connection: SourceConnection) -> None:
    """Remove the id that this look has dealt with; another one is due at once."""
    if connection.announced:
        row = SourceConnection.objects.select_for_update().get(pk=connection.pk)
        row.announced = [each for each in row.announced if each != connection.announced[0]]
        if row.announced:
            row.next_look_at = timezone.now()
        row.save(update_fields=["announced", "next_look_at"])


def run_values(connection: SourceConnection, fetched: Fetched) -> dict[str, Any]:
    """The fields of a run that stores this content, encrypted until the run ends."""
    return {
        "connection": connection,
        "file_name": fetched.file_name[:255],
        "content": SECRETS.encrypt(fetched.content),
        "sha256": digest(fetched.content),
        "size": len(fetched.content),
        "is_whole": fetched.is_whole,
        "deleted_ids": list(fetched.deleted_ids),
        "error": str(fetched.state.get("missing", "")),
        "state_before": connection.fetch_state,
    }


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
