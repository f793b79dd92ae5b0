"""Record results of deliveries: acknowledged, failed, gone, or an error of the hub.

A result counts only while its claim is valid. The acknowledged version never falls, unless a worker
that lost its claim may have sent older bytes last.
"""

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import FloatField, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Greatest

from websub import clock, conf
from websub.claims import ClaimedDelivery
from websub.models import (
    RELEASED_CLAIM,
    Attempt,
    Subscription,
    SubscriptionQuerySet,
    Verification,
    callback_hash,
)
from websub.secrets import is_same
from websub.signals import deliveries_attempted
from websub.topics import versions

logger = logging.getLogger(__name__)

SLOW_SECONDS = 2.0  # Slower subscriptions move to the slow queue.
PAUSE = dt.timedelta(seconds=1)  # Between two deliveries to one subscription: edits come in bursts.

MAX_RETRY_AFTER = dt.timedelta(days=1)
BEFORE_LEASE_ENDS = dt.timedelta(minutes=1)
MAX_COUNTED_FAILURES = 32_767  # The largest count that the column holds.
MAX_HUB_ERRORS = 1_000
HUB_ERROR_PAUSE_SECONDS = (5.0, 15.0, 30.0, 60.0, 300.0)


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """Result of one delivery attempt. `result` is None if the attempt was not made."""

    claimed: ClaimedDelivery
    result: Attempt.Result | None = None
    status: int | None = None
    error: str = ""
    seconds: float = 0.0
    sent_bytes: int = 0
    signature_method: str = ""  # Empty if the delivery is not signed.
    retry_after_seconds: float = 0.0

    @property
    def row(self) -> Subscription:
        return self.claimed.subscription


def record_results(results: Sequence[DeliveryResult]) -> None:
    """Store results with a valid claim; end subscriptions that failed too often."""
    acknowledged: list[DeliveryResult] = []
    removed: list[Subscription] = []
    attempts: list[Attempt] = []
    with transaction.atomic():
        secrets = _lock_claimed(results)
        now = clock.now()
        _resend_after_stale_write([r for r in results if r.row.pk not in secrets], now)
        for delivered in [r for r in results if r.row.pk in secrets]:
            row = delivered.row
            is_gone = False
            if delivered.result is None or not is_same(row.encrypted_secret, secrets[row.pk]):
                # Not attempted, or signed with a replaced secret and so maybe rejected.
                _rows(delivered).update(**RELEASED_CLAIM)
                continue
            if delivered.result is Attempt.Result.ACKNOWLEDGED:
                acknowledged.append(delivered)
            elif delivered.claimed.is_test:
                # A test changes neither failures nor delays, and a 410 ends nothing.
                _rows(delivered).update(test_requested_at=None, **RELEASED_CLAIM)
            elif delivered.result is Attempt.Result.HUB_ERROR:
                _record_hub_error(delivered, now)
            elif delivered.result is Attempt.Result.GONE:
                is_gone = _remove(delivered)
            elif is_gone := _record_failure(delivered, now):
                removed.append(row)
            attempts.append(_log_entry(delivered, delivered.result, now, is_gone=is_gone))
        _acknowledge(acknowledged, now)
        Attempt.objects.bulk_create(attempts)
        if removed:
            Verification.objects.queue_denials(removed, removal_reason())
        sent = [(each.result, each.seconds) for each in attempts if not each.is_test]
        announce = partial(deliveries_attempted.send_robust, sender=Attempt, attempts=sent)
        transaction.on_commit(announce, robust=True)


def _lock_claimed(results: Sequence[DeliveryResult]) -> dict[int, str]:
    """Lock the rows whose claim is valid; return their current secrets by key."""
    tokens = {each.row.pk: each.row.claim_token for each in results}
    rows = Subscription.objects.select_for_update().filter(pk__in=tokens).order_by("pk")
    values = rows.values_list("pk", "claim_token", "encrypted_secret")
    return {pk: secret for pk, token, secret in values if tokens[pk] == token}


def _resend_after_stale_write(lost: Sequence[DeliveryResult], now: dt.datetime) -> None:
    """Send the newest version again if older bytes may have arrived last.

    A frozen process, as on a paused machine, continues to send when it wakes up. By then its claim
    has expired, and another worker may have sent newer bytes or be sending them now. Clearing that
    worker's token discards its result, so the row stays due.
    """
    made = [delivered for delivered in lost if delivered.result]
    newest = versions() if made else {}
    for delivered in made:
        content = delivered.claimed.content
        _rows(delivered).filter(acknowledged_version__gt=content.version).update(
            acknowledged_version=content.version, next_attempt_at=now
        )
        if newest.get(content.topic, 0) > content.version:
            _rows(delivered).filter(claimed_until__gt=now).update(claim_token="")


def _rows(*results: DeliveryResult) -> SubscriptionQuerySet:
    return Subscription.objects.filter(pk__in=[each.row.pk for each in results])


def _attempt_values(delivered: DeliveryResult, now: dt.datetime) -> dict[str, Any]:
    return {
        "last_attempt_at": now,
        "last_status": delivered.status,
        "last_error": delivered.error[:300],
        "last_seconds": delivered.seconds,
        **RELEASED_CLAIM,
    }


def _acknowledge(acknowledged: Sequence[DeliveryResult], now: dt.datetime) -> None:
    """Store acknowledgements, with one statement per group of equal values."""
    alike: dict[tuple[int, int | None, bool, bool], list[DeliveryResult]] = defaultdict(list)
    for each in acknowledged:
        is_slow = each.seconds > SLOW_SECONDS
        version, is_test = each.claimed.content.version, each.claimed.is_test
        alike[version, each.status, is_slow, is_test].append(each)
    for (version, _, is_slow, is_test), group in alike.items():
        # Raw SQL, since building Django's `Case` takes half the time of recording a delivery.
        seconds = [(each.row.pk, each.seconds) for each in group]
        cases = f"CASE id {'WHEN %s THEN %s ' * len(seconds)}END"
        _rows(*group).update(
            **_attempt_values(group[0], now)
            | {"last_seconds": RawSQL(cases, [*chain(*seconds)], FloatField())},  # noqa: S611
            acknowledged_version=Greatest("acknowledged_version", Value(version)),
            consecutive_failures=0,
            hub_errors=0,
            in_slow_queue=is_slow,
            next_attempt_at=now + PAUSE,
            **({"test_requested_at": None} if is_test else {}),
        )


def _record_hub_error(delivered: DeliveryResult, now: dt.datetime) -> None:
    """Store an error of the hub, which does not count against the subscriber."""
    errors = min(delivered.row.hub_errors + 1, MAX_HUB_ERRORS)
    pause = HUB_ERROR_PAUSE_SECONDS[min(errors, len(HUB_ERROR_PAUSE_SECONDS)) - 1]
    _rows(delivered).update(
        **_attempt_values(delivered, now),
        hub_errors=errors,
        next_attempt_at=now + dt.timedelta(seconds=pause),
    )


def _record_failure(delivered: DeliveryResult, now: dt.datetime) -> bool:
    """Store a failure; return whether it ended the subscription."""
    failures = delivered.row.consecutive_failures + 1
    if failures >= conf.get("WEBSUB_MAX_FAILURES") > 0 and _remove(delivered):
        of = delivered.row.callback_host, delivered.row.topic
        message = "Removed a subscription of %s to %s after %d failures: %s"
        logger.info(message, *of, failures, delivered.error)
        return True
    _rows(delivered).update(
        **_attempt_values(delivered, now),
        consecutive_failures=min(failures, MAX_COUNTED_FAILURES),
        in_slow_queue=True,
        next_attempt_at=now + dt.timedelta(seconds=_wait_seconds(delivered, failures, now)),
    )
    return False


def _wait_seconds(delivered: DeliveryResult, failures: int, now: dt.datetime) -> float:
    """Return the retry delay: the setting's, or the callback's `Retry-After` if longer."""
    lease_left = delivered.row.expires_at - now - BEFORE_LEASE_ENDS
    most = min(MAX_RETRY_AFTER, lease_left).total_seconds()
    spans: Sequence[float] = conf.get("WEBSUB_RETRY_SECONDS") or [0.0]
    return max(spans[min(failures, len(spans)) - 1], min(delivered.retry_after_seconds, most))


def _remove(delivered: DeliveryResult) -> bool:
    """End the subscription, unless it was renewed during the request."""
    rows = _rows(delivered)
    if rows.filter(expires_at=delivered.row.expires_at).delete()[0]:
        return True
    rows.update(**RELEASED_CLAIM)
    return False


def _log_entry(
    delivered: DeliveryResult, result: Attempt.Result, now: dt.datetime, *, is_gone: bool
) -> Attempt:
    row = delivered.row
    return Attempt(
        subscription_id=None if is_gone else row.pk,
        callback_host=row.callback_host,
        callback_hash=callback_hash(row.callback),
        topic=row.topic,
        version=delivered.claimed.content.version,
        result=result,
        status=delivered.status,
        error=delivered.error[:300],
        seconds=delivered.seconds,
        sent_bytes=delivered.sent_bytes,
        signature_method=delivered.signature_method,
        is_test=delivered.claimed.is_test,
        at=now,
    )


def removal_reason() -> str:
    return (
        f"{conf.get('WEBSUB_MAX_FAILURES')} deliveries in a row were not acknowledged with a 2xx "
        "status. Subscribe again to go on receiving updates."
    )
