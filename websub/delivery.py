"""Deliveries (WebSub 7): the newest bytes, posted to whoever is claimed for them."""

import datetime as dt
import logging
import time
from collections.abc import Iterable, Iterator
from functools import partial

from django.conf import settings
from django.db.models import Min

from websub import clock, hub, lanes
from websub.claims import Claimed, Desk, Speed
from websub.client import Blame, Connection, Outcome
from websub.editions import published_versions
from websub.exchange import signature
from websub.models import Attempt, Subscription
from websub.secrets import SecretLost, decrypt
from websub.settling import Delivered, settle

logger = logging.getLogger(__name__)

OWN_FAULT = "A fault of ours kept the delivery from being made; the log has the details."


def deliver(speed: Speed, *, since: dt.datetime | None = None) -> lanes.Run:
    """Work off what is due in a lane.

    What missed after `since`, and need not wait longer than until the next sweep, is left to it;
    by default what missed within half the time between two sweeps.
    """
    work = lanes.Work(Desk(speed, since).claim, partial(attempt_all, speed), settle)
    return lanes.run(speed.lane(), work)


def seconds_to_next(within: float) -> float | None:
    """How long until a delivery falls due that is not yet, if that is sooner than `within`."""
    now = clock.now()
    waits = [
        first
        for topic, version in published_versions().items()
        if (
            first := Subscription.objects.active(now)
            .behind(topic, version)
            .filter(
                set_aside="",
                next_attempt_at__gt=now,
                next_attempt_at__lt=now + dt.timedelta(seconds=within),
            )
            .aggregate(first=Min("next_attempt_at"))["first"]
        )
    ]
    return (min(waits) - now).total_seconds() if waits else None


# --- Trying ---------------------------------------------------------------------------------------


def attempt_all(speed: Speed, rows: Iterable[Claimed]) -> Iterator[Delivered]:
    """One delivery after another, over one connection as long as the callbacks' server is one."""
    client = hub.client()
    connection: Connection | None = None
    try:
        for claimed in rows:
            callback = claimed.subscription.callback
            try:
                if connection and not (claimed.is_reliable and connection.leads_to(callback)):
                    connection.close()
                    connection = None
                connection = connection or client.connect(callback, speed.limits)
                delivered = attempt(connection, claimed)
            except SecretLost as lost:
                delivered = _row_fault(claimed, str(lost))
            except Exception:
                # A row that makes our own code fail must not take the others with it.
                logger.exception("Delivery to subscription %s failed", claimed.subscription.pk)
                delivered = _row_fault(claimed, OWN_FAULT)
            yield delivered
    finally:
        if connection is not None:
            connection.close()


def _row_fault(claimed: Claimed, error: str) -> Delivered:
    return Delivered(claimed, Attempt.Result.OWN_FAULT, error=error, is_rows_own=True)


def attempt(connection: Connection, claimed: Claimed) -> Delivered:
    """One delivery (WebSub 7), unless it is too late for one, or the lease ends under it."""
    subscription, edition = claimed.subscription, claimed.edition
    if time.monotonic() >= min(claimed.start_before, claimed.lease_ends_at):
        return Delivered(claimed)
    headers = dict(edition.headers)
    if secret := decrypt(subscription.encrypted_secret):
        method = settings.WEBSUB_SIGNATURE_METHOD
        headers["X-Hub-Signature"] = signature(secret, edition.body, method)
    outcome = connection.request(
        "POST",
        subscription.callback,
        headers=headers,
        body=edition.body,
        until=claimed.lease_ends_at,
    )
    if outcome.status is None and time.monotonic() >= claimed.lease_ends_at:
        return Delivered(claimed)
    return Delivered(claimed, _result(outcome), outcome.status, _sentence(outcome), outcome.seconds)


def _result(outcome: Outcome) -> Attempt.Result:
    if outcome.is_success:
        return Attempt.Result.ACKNOWLEDGED
    if outcome.status == 410:
        return Attempt.Result.GONE
    return Attempt.Result.OWN_FAULT if outcome.blame is Blame.OURS else Attempt.Result.MISS


def _sentence(outcome: Outcome) -> str:
    if outcome.status is None:
        return outcome.error
    if outcome.is_success:
        return ""
    if 300 <= outcome.status <= 399:
        return f"The callback redirected ({outcome.status}); redirects are not followed."
    return f"The callback answered {outcome.status}."
