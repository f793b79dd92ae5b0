"""Deliveries: claim the subscriptions that are behind, send them the newest bytes, note the result.

The row is the queue. A claim expires by itself, so whatever dies while it holds one loses nothing;
results count only while the claim that they were made under still stands. The version is read
together with the bytes, and what is acknowledged only rises, so an older version never comes last.

Two lanes: who missed last time or took long waits in the slow one, and the others do not notice.
"""

import datetime as dt
import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import FloatField, Min, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Greatest

from websub import clock, denials, hub, lanes
from websub.client import Blame, Connection, Limits, Outcome
from websub.editions import Edition, published_versions, read_edition
from websub.exchange import signature
from websub.models import Attempt, Subscription, SubscriptionQuerySet
from websub.secrets import SecretLost, decrypt
from websub.signals import deliveries_attempted

logger = logging.getLogger(__name__)

BATCH = 100
SLOW_SECONDS = 2.0  # Whoever takes longer to acknowledge is in the slow lane next time.
LOOK_SECONDS = 0.25  # What a web process takes to look for a new version, and to unpack it.
PAUSE = dt.timedelta(seconds=1)  # Between two deliveries to one subscription: edits come in bursts.
RUN_SECONDS = 2.0
SINGLE_RUN_SECONDS = 60.0
MARGIN_SECONDS = 1.0
WAITING_SECONDS = 8.0  # How long a claimed row may wait for a thread.

MOST_COUNTED = 32_767  # Of misses, where no number of them ends a subscription.
OWN_FAULTS_ALLOWED = 5
MOST_OWN_FAULTS = 1_000  # Counting further says nothing more.
OWN_FAULT_PAUSE_SECONDS = (5.0, 15.0, 30.0, 60.0)
OWN_FAULT = "A fault of ours kept the delivery from being made; the log has the details."


@dataclass(frozen=True, slots=True)
class Speed:
    """What belongs to a lane beside its threads."""

    is_slow: bool
    limits: Limits

    @property
    def claim_seconds(self) -> float:
        """Long enough for waiting and for one exchange; short, since a killed worker's claims are
        what its subscribers wait for."""
        return WAITING_SECONDS + self.limits.total_seconds + MARGIN_SECONDS

    def lane(self) -> lanes.Lane:
        threads = max(1, settings.HUB_THREADS)
        if self.is_slow:
            return lanes.Lane(
                "slow", max(8, threads // 4), BATCH, SINGLE_RUN_SECONDS, is_single=True
            )
        return lanes.Lane("deliver", threads, BATCH, RUN_SECONDS, is_single=False)


FIRST = Speed(is_slow=False, limits=Limits(connect_seconds=3, total_seconds=5))
SLOW = Speed(is_slow=True, limits=Limits(connect_seconds=5, total_seconds=10))


@dataclass(frozen=True, slots=True)
class Claimed:
    """A subscription that is ours for a while, with what it is to be sent."""

    subscription: Subscription
    edition: Edition
    token: str
    # On the monotonic clock. Later the claim might end under the exchange.
    start_before: float
    lease_ends_at: float

    @property
    def callback_host(self) -> str:
        return self.subscription.callback_host

    @property
    def is_reliable(self) -> bool:
        """Whether the last delivery was acknowledged.

        Who is not gets no kept connection: one that hangs up on it is asked once more, and an
        attempt is one post.
        """
        return self.subscription.last_status is not None and not self.subscription.misses


@dataclass(frozen=True, slots=True)
class Delivered:
    """How an attempt ended; without a result none was made, and the claim is given back."""

    claimed: Claimed
    result: Attempt.Result | None = None
    status: int | None = None
    error: str = ""
    seconds: float = 0.0
    is_rows_own: bool = False  # A fault of ours that this row sets off, wherever it is tried.


def deliver(speed: Speed, *, since: dt.datetime | None = None) -> lanes.Run:
    """Work off what is due in a lane.

    What missed after `since`, and need not wait longer than until the next sweep, is left to it;
    by default what missed within half the time between two sweeps.
    """
    work = lanes.Work(_Desk(speed, since).claim, partial(_attempt_all, speed), settle)
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


# --- Claiming -------------------------------------------------------------------------------------


class _Desk:
    """Hands out claimed rows with the newest bytes, each version read once."""

    def __init__(self, speed: Speed, since: dt.datetime | None = None) -> None:
        self._speed = speed
        self._since = since
        self._editions: dict[str, Edition] = {}

    def claim(self, limit: int, passed_over: Collection[str]) -> list[Claimed]:
        claimed: list[Claimed] = []
        for edition in self._wanted():
            if room := limit - len(claimed):
                since = self._sweep_began()
                claimed += claim(edition, self._speed, room, since, passed_over=passed_over)
        return claimed

    def _sweep_began(self) -> dt.datetime:
        half = dt.timedelta(seconds=settings.WEBSUB_SWEEP_SECONDS / 2)
        return self._since or clock.now() - half

    def _wanted(self) -> list[Edition]:
        """The newest bytes of each topic that somebody is to get, as soon as all may see them."""
        since, now = self._sweep_began(), clock.now()
        due = partial(Subscription.objects.due, is_slow=self._speed.is_slow, since=since, now=now)
        wanted = [
            edition
            for topic, version in published_versions().items()
            if due(topic, version).exists() and (edition := self._edition(topic, version))
        ]
        # Nobody is pushed what a GET does not show yet: web processes look for a new version this
        # often.
        visible_at = max((edition.read_at for edition in wanted), default=0.0)
        visible_at += settings.VERSION_POLL_MS / 1000 + LOOK_SECONDS
        time.sleep(max(0.0, visible_at - time.monotonic()))
        return wanted

    def _edition(self, topic: str, version: int) -> Edition | None:
        known = self._editions.get(topic)
        if known is not None and known.version >= version:
            return known
        try:
            self._editions[topic] = read_edition(topic)
        except DatabaseError:
            raise
        except Exception:
            # Nobody is claimed for it, so it counts against nobody; the other topics go on.
            logger.exception("%s cannot be read and is not delivered for now", topic)
            return None
        return self._editions[topic]


def claim(
    edition: Edition,
    speed: Speed,
    limit: int,
    since: dt.datetime,
    *,
    passed_over: Collection[str] = (),
) -> list[Claimed]:
    """At most so many due subscriptions of the topic, ours until the claim expires by itself.

    None of hosts that are `passed_over`, and nobody when the edition is not the newest any more.
    """
    token = secrets.token_hex(16)
    claimed_at = time.monotonic()
    with transaction.atomic():
        now = clock.now()
        # PostgreSQL passes over rows that another worker is claiming at this moment; on SQLite the
        # transaction itself is the only one that writes.
        rows = list(
            Subscription.objects.due(
                edition.topic, edition.version, is_slow=speed.is_slow, since=since, now=now
            )
            .exclude(callback_host__in=passed_over)
            .select_for_update(skip_locked=True)
            .only(*_NEEDED)[:limit]
        )
        # Looked at while nobody else can claim them: who was frozen after reading the bytes would
        # send them to somebody who has missed newer ones meanwhile.
        if published_versions().get(edition.topic) != edition.version:
            return []
        if rows:
            Subscription.objects.filter(pk__in=[row.pk for row in rows]).update(
                claimed_until=now + dt.timedelta(seconds=speed.claim_seconds), claim_token=token
            )
    return [
        Claimed(
            row,
            edition,
            token,
            start_before=claimed_at + WAITING_SECONDS,
            lease_ends_at=claimed_at + (row.expires_at - now).total_seconds(),
        )
        for row in rows
    ]


_NEEDED = (
    "key",
    "callback",
    "callback_host",
    "topic",
    "encrypted_secret",
    "expires_at",
    "last_status",
    "misses",
    "own_faults",
)


# --- Trying ---------------------------------------------------------------------------------------


def _attempt_all(speed: Speed, rows: Iterable[Claimed]) -> Iterator[Delivered]:
    """One delivery after another, over one connection as long as the callbacks' server is one."""
    client = hub.client()
    connection: Connection | None = None
    server = ""
    try:
        for claimed in rows:
            try:
                callback = claimed.subscription.callback
                is_same = server == _server(callback) and claimed.is_reliable
                if connection is None or not is_same:
                    if connection is not None:
                        connection.close()
                    connection, server = client.connect(callback, speed.limits), _server(callback)
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


def _server(callback: str) -> str:
    return callback.split("/", 3)[2].partition("?")[0]


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


# --- Writing down ---------------------------------------------------------------------------------


def settle(results: Sequence[Delivered]) -> None:
    """Write results down, each if its claim still stands; whom the last miss removes is told."""
    removed: list[Subscription] = []
    gone: set[int] = set()
    with transaction.atomic():
        standing = _standing(results)
        now = clock.now()
        ours = [result for result in results if result.claimed.subscription.pk in standing]
        _mend([r for r in results if r.claimed.subscription.pk not in standing], now)
        _acknowledge([r for r in ours if r.result is Attempt.Result.ACKNOWLEDGED], now)
        for delivered in ours:
            subscription = delivered.claimed.subscription
            if delivered.result is None:
                _row(delivered).update(**FREE)
            elif delivered.result is Attempt.Result.OWN_FAULT:
                _note_own_fault(delivered, now)
            elif delivered.result is Attempt.Result.GONE:
                if _remove(delivered):
                    gone.add(subscription.pk)
            elif delivered.result is Attempt.Result.MISS and _note_miss(delivered, now):
                gone.add(subscription.pk)
                removed.append(subscription)
        attempts = [_log(r, r.result, gone) for r in ours if r.result]
        Attempt.objects.bulk_create(attempts)
        if removed:
            denials.put_down(removed, removal_reason())
        transaction.on_commit(partial(_announce, attempts), robust=True)


def _announce(attempts: Sequence[Attempt]) -> None:
    deliveries_attempted.send_robust(
        sender=Attempt, attempts=[(attempt.result, attempt.seconds) for attempt in attempts]
    )


FREE = {"claimed_until": None, "claim_token": ""}


def _standing(results: Sequence[Delivered]) -> set[int]:
    """The rows that are still ours, locked."""
    tokens = {r.claimed.subscription.pk: r.claimed.token for r in results}
    rows = Subscription.objects.select_for_update().filter(pk__in=tokens).order_by("pk")
    return {pk for pk, token in rows.values_list("pk", "claim_token") if tokens[pk] == token}


def _mend(lost: Sequence[Delivered], now: dt.datetime) -> None:
    """Send the newest once more to whom older bytes may have reached after newer ones.

    Whoever is frozen while writing to a socket, as the process of a paused machine is, goes on
    writing when it wakes up, whatever another worker has sent meanwhile. No exchange that was not
    frozen takes longer than its deadline.
    """
    for delivered in lost:
        version = delivered.claimed.edition.version
        if delivered.result and delivered.seconds > SLOW.limits.total_seconds:
            _row(delivered).filter(acknowledged_version__gt=version).update(
                acknowledged_version=version, next_attempt_at=now
            )


def _row(delivered: Delivered) -> SubscriptionQuerySet:
    return Subscription.objects.filter(pk=delivered.claimed.subscription.pk)


def _tried(delivered: Delivered, now: dt.datetime) -> dict[str, Any]:
    return {
        "last_attempt_at": now,
        "last_status": delivered.status,
        "last_error": delivered.error[:300],
        "last_seconds": delivered.seconds,
        **FREE,
    }


def _acknowledge(acknowledged: Sequence[Delivered], now: dt.datetime) -> None:
    """One statement for all that ended alike, which nearly all do."""
    alike: dict[tuple[int, int | None, bool], list[Delivered]] = defaultdict(list)
    for delivered in acknowledged:
        is_slow = delivered.seconds > SLOW_SECONDS
        alike[delivered.claimed.edition.version, delivered.status, is_slow].append(delivered)
    for (version, _, is_slow), group in alike.items():
        seconds = {d.claimed.subscription.pk: d.seconds for d in group}
        Subscription.objects.filter(pk__in=seconds).update(
            **_tried(group[0], now)
            | {
                "acknowledged_version": Greatest("acknowledged_version", Value(version)),
                "misses": 0,
                "own_faults": 0,
                "is_slow": is_slow,
                "next_attempt_at": now + PAUSE,
                "last_seconds": _by_key(seconds),
            }
        )


def _by_key(seconds: Mapping[int, float]) -> RawSQL:
    """Each row's own value. Django's `Case` takes half of the time that a delivery's rows take."""
    cases = "WHEN %s THEN %s " * len(seconds)
    parameters = [part for pair in seconds.items() for part in pair]
    return RawSQL(f"CASE id {cases}END", parameters, FloatField())  # noqa: S611  (built here)


def _note_own_fault(delivered: Delivered, now: dt.datetime) -> None:
    """It does not count against the subscriber.

    A row that keeps setting it off is set aside for people. What ails us as a whole, like a name
    resolver that is down, passes: then every row goes on by itself.
    """
    faults = min(delivered.claimed.subscription.own_faults + 1, MOST_OWN_FAULTS)
    is_stuck = delivered.is_rows_own and faults >= OWN_FAULTS_ALLOWED
    pause = OWN_FAULT_PAUSE_SECONDS[min(faults, len(OWN_FAULT_PAUSE_SECONDS)) - 1]
    _row(delivered).update(
        **_tried(delivered, now),
        own_faults=faults,
        next_attempt_at=now + dt.timedelta(seconds=pause),
        set_aside=delivered.error[:300] if is_stuck else "",
    )


def _note_miss(delivered: Delivered, now: dt.datetime) -> bool:
    """Whether it was the last one that the subscription had."""
    misses = delivered.claimed.subscription.misses + 1
    if misses >= settings.WEBSUB_MAX_MISSES > 0 and _remove(delivered):
        logger.info(
            "Removed a subscription of %s to %s after %d misses: %s",
            delivered.claimed.callback_host,
            delivered.claimed.edition.topic,
            misses,
            delivered.error,
        )
        return True
    _row(delivered).update(
        **_tried(delivered, now),
        misses=min(misses, MOST_COUNTED),
        is_slow=True,
        next_attempt_at=now + dt.timedelta(seconds=_retry_seconds(misses)),
    )
    return False


def _retry_seconds(misses: int) -> float:
    spans: Sequence[float] = settings.WEBSUB_RETRY_SECONDS
    return spans[min(misses, len(spans)) - 1] if spans else 0.0


def _remove(delivered: Delivered) -> bool:
    """End the subscription, unless it was renewed while the callback was answering."""
    row = _row(delivered)
    if row.filter(expires_at=delivered.claimed.subscription.expires_at).delete()[0]:
        return True
    row.update(**FREE)
    return False


def _log(delivered: Delivered, result: Attempt.Result, gone: Collection[int]) -> Attempt:
    subscription = delivered.claimed.subscription
    return Attempt(
        subscription_id=None if subscription.pk in gone else subscription.pk,
        callback_host=subscription.callback_host,
        topic=subscription.topic,
        version=delivered.claimed.edition.version,
        result=result,
        status=delivered.status,
        error=delivered.error[:300],
        seconds=delivered.seconds,
    )


def removal_reason() -> str:
    return (
        f"{settings.WEBSUB_MAX_MISSES} deliveries in a row were not acknowledged with a 2xx "
        "status. Subscribe again to go on receiving updates."
    )
