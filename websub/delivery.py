"""Deliver the newest content of topics to claimed subscriptions (WebSub 7)."""

import datetime as dt
import logging
import time
from collections.abc import Iterable, Iterator
from functools import partial

from django.utils import timezone

from guarded_http.client import Connection, Outcome, retry_after_seconds
from guarded_http.connect import Fault
from websub import conf, dispatcher, formatting
from websub.claims import ClaimedDelivery, Claimer, QueueConfig
from websub.models import Attempt, Subscription
from websub.protocol import signature
from websub.record_deliveries import DeliveryResult, record_results
from websub.secrets import SecretLost, decrypt
from websub.topics import versions

logger = logging.getLogger(__name__)

BATCH = 100
RUN_SECONDS = 2.0
SINGLE_RUN_SECONDS = 60.0
HUB_ERROR = "An error of the hub prevented the delivery; its log has the details."


def deliver(config: QueueConfig, *, since: dt.datetime | None = None) -> dispatcher.RunResult:
    """Deliver to the due subscriptions of a queue.

    If `WEBSUB_RETRY_SECONDS` sets no delay, subscriptions that failed after `since` wait for the
    next sweep. `since` defaults to half a sweep interval ago.
    """
    is_slow, threads = config.is_slow, conf.get("WEBSUB_THREADS")
    queue = dispatcher.Queue(
        name="slow" if is_slow else "deliver",
        threads=max(8, threads // 4) if is_slow else threads,
        batch=BATCH,
        run_seconds=SINGLE_RUN_SECONDS if is_slow else RUN_SECONDS,
        is_single=is_slow,
        claim=Claimer(config, since).claim,
        attempt=partial(attempt_all, config),
        record=record_results,
    )
    return dispatcher.run(queue)


def seconds_to_next(within: float) -> float | None:
    """Return the time until the next delivery falls due, None if longer than `within`."""
    active = Subscription.objects.active()
    behind = (active.behind(topic, version) for topic, version in versions().items())
    return min(filter(None, (rows.seconds_to_next(within) for rows in behind)), default=None)


def attempt_all(config: QueueConfig, rows: Iterable[ClaimedDelivery]) -> Iterator[DeliveryResult]:
    """Deliver to rows in turn, reusing the connection while the server stays the same."""
    client = conf.client()
    connection: Connection | None = None
    try:
        for claimed in rows:
            callback = claimed.subscription.callback
            try:
                if connection and not (claimed.is_reliable and connection.is_same_origin(callback)):
                    connection.close()
                    connection = None
                connection = connection or client.connect(callback, config.limits)
                delivered = attempt(connection, claimed)
            except SecretLost as lost:
                delivered = _hub_error(claimed, str(lost))
            except Exception:
                # A failure of the hub's own code must not stop the remaining rows.
                logger.exception("Delivery to subscription %s failed", claimed.subscription.pk)
                delivered = _hub_error(claimed, HUB_ERROR)
            yield delivered
    finally:
        if connection is not None:
            connection.close()


def _hub_error(claimed: ClaimedDelivery, error: str) -> DeliveryResult:
    return DeliveryResult(claimed, Attempt.Result.HUB_ERROR, error=error)


def attempt(connection: Connection, claimed: ClaimedDelivery) -> DeliveryResult:
    """Deliver to one subscription; give up when the claim or the lease ends."""
    subscription, content = claimed.subscription, claimed.content
    ends_at = min(claimed.ends_at, claimed.lease_ends_at)
    if time.monotonic() >= min(claimed.start_before, ends_at):
        return DeliveryResult(claimed)
    headers = dict(content.headers)
    method = ""
    if secret := decrypt(subscription.encrypted_secret):
        method = conf.get("WEBSUB_SIGNATURE_METHOD")
        headers["X-Hub-Signature"] = signature(secret, content.body, method)
    outcome = connection.request(
        "POST", subscription.callback, headers=headers, body=content.body, until=ends_at
    )
    if outcome.status is None and time.monotonic() >= ends_at:
        return DeliveryResult(claimed)  # The callback had less than its full timeout.
    wait = 0.0
    if outcome.status in {429, 503}:
        wait = retry_after_seconds(outcome.headers.get("retry-after", ""), timezone.now())
    result, error = _result(outcome), outcome.error
    if outcome.status is not None and not outcome.is_success:
        error = formatting.describe_status(
            outcome.status, retry_after_seconds=wait, size=len(content.body)
        )
    if claimed.is_test and result is Attempt.Result.GONE:
        error += " A delivery that is no test would end the subscription."
    return DeliveryResult(
        claimed,
        result,
        outcome.status,
        error,
        outcome.seconds,
        sent_bytes=outcome.sent_bytes,
        signature_method=method,
        retry_after_seconds=wait,
    )


def _result(outcome: Outcome) -> Attempt.Result:
    if outcome.is_success:
        return Attempt.Result.ACKNOWLEDGED
    if outcome.status == 410:
        return Attempt.Result.GONE
    return Attempt.Result.HUB_ERROR if outcome.fault is Fault.OURS else Attempt.Result.FAILED
