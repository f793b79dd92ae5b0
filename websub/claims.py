"""Whom to deliver to: the subscriptions that are behind, claimed with the newest bytes.

The row is the queue. A claim expires by itself, so whatever dies while it holds one loses nothing.
The version is read together with the bytes, and nobody is claimed for bytes that are not the newest
any more, so an older version never comes last.

Two lanes: who missed last time or took long waits in the slow one, and the others do not notice.
"""

import datetime as dt
import logging
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from django.conf import settings
from django.db import DatabaseError, transaction

from websub import clock, dispatcher
from websub.client import Limits
from websub.content import TopicContent, load_content, published_versions
from websub.models import Subscription, SubscriptionQuerySet

logger = logging.getLogger(__name__)

BATCH = 100
RUN_SECONDS = 2.0
SINGLE_RUN_SECONDS = 60.0
MARGIN_SECONDS = 1.0
WAITING_SECONDS = 8.0  # How long a claimed row may wait for a thread.
MAX_WAITS = 2  # For the newest to be visible, which it never is while edits do not pause.
UNPACKING_SECONDS = 0.25  # What a web process takes to look for a version, and to unpack it.


@dataclass(frozen=True, slots=True)
class QueueConfig:
    """What belongs to a lane beside its threads."""

    is_slow: bool
    limits: Limits

    @property
    def claim_seconds(self) -> float:
        """Long enough for waiting and for one exchange; short, since a killed worker's claims are
        what its subscribers wait for."""
        return WAITING_SECONDS + self.limits.total_seconds + MARGIN_SECONDS

    def lane(self) -> dispatcher.Queue:
        threads: int = settings.HUB_THREADS
        if self.is_slow:
            return dispatcher.Queue(
                "slow", max(8, threads // 4), BATCH, SINGLE_RUN_SECONDS, is_single=True
            )
        return dispatcher.Queue("deliver", threads, BATCH, RUN_SECONDS, is_single=False)


FAST = QueueConfig(is_slow=False, limits=Limits(connect_seconds=3, total_seconds=5))
SLOW = QueueConfig(is_slow=True, limits=Limits(connect_seconds=5, total_seconds=10))


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A subscription that is ours for a while, with what it is to be sent."""

    subscription: Subscription
    edition: TopicContent
    token: str
    # On the monotonic clock. Later the claim might end under the exchange.
    start_before: float
    lease_ends_at: float
    is_test: bool = False  # Wanted by an administrator, whatever has been acknowledged.

    @property
    def callback_host(self) -> str:
        return self.subscription.callback_host

    @property
    def is_reliable(self) -> bool:
        """Whether the last delivery was acknowledged.

        Who is not gets no kept connection: one that hangs up on it is asked once more, and an
        attempt is one post.
        """
        return (
            self.subscription.last_status is not None and not self.subscription.consecutive_failures
        )


class Claimer:
    """Hands out claimed rows with the newest bytes, each version read once."""

    def __init__(self, speed: QueueConfig, since: dt.datetime | None = None) -> None:
        self._speed = speed
        self._since = since
        self._editions: dict[str, TopicContent] = {}

    def claim(self, limit: int, passed_over: Collection[str]) -> list[ClaimedDelivery]:
        # Few and seldom, so that one lane is enough for them.
        claimed = self._claim_tests(limit, passed_over) if self._speed.is_slow else []
        for number in range(MAX_WAITS + 1):
            wanted, is_outdated = self._wanted(), False
            if number < MAX_WAITS:
                _wait_until_visible(wanted)
            for edition in wanted:
                since = self._sweep_began()
                try:
                    if room := limit - len(claimed):
                        claimed += claim(edition, self._speed, room, since, passed_over=passed_over)
                except StaleContent:
                    is_outdated = True
            if claimed or not is_outdated:
                break
        return claimed

    def _claim_tests(self, limit: int, passed_over: Collection[str]) -> list[ClaimedDelivery]:
        """Subscriptions that are to be sent the newest bytes as a test."""
        due = Subscription.objects.tests_due(clock.now()).exclude(callback_host__in=passed_over)
        topics = set(due.order_by().values_list("topic", flat=True))
        claimed: list[ClaimedDelivery] = []
        for topic, version in published_versions().items():
            if topic in topics and (edition := self._edition(topic, version)):
                _wait_until_visible([edition])
                if room := limit - len(claimed):
                    with suppress(StaleContent):  # The next look finds them again.
                        claimed += claim_tests(edition, self._speed, room, passed_over)
        return claimed

    def _sweep_began(self) -> dt.datetime:
        half = dt.timedelta(seconds=settings.WEBSUB_SWEEP_SECONDS / 2)
        return self._since or clock.now() - half

    def _wanted(self) -> list[TopicContent]:
        """The newest bytes of each topic that somebody is to get."""
        since, now = self._sweep_began(), clock.now()
        due = partial(Subscription.objects.due, is_slow=self._speed.is_slow, since=since, now=now)
        return [
            edition
            for topic, version in published_versions().items()
            if due(topic, version).exists() and (edition := self._edition(topic, version))
        ]

    def _edition(self, topic: str, version: int) -> TopicContent | None:
        known = self._editions.get(topic)
        if known is not None and known.version >= version:
            return known
        try:
            self._editions[topic] = load_content(topic)
        except DatabaseError:
            raise
        except Exception:
            # Nobody is claimed for it, so it counts against nobody; the other topics go on.
            logger.exception("%s cannot be read and is not delivered for now", topic)
            return None
        return self._editions[topic]


def _wait_until_visible(editions: Sequence[TopicContent]) -> None:
    """Nobody is pushed what a GET does not show yet: web processes look for versions this often."""
    visible_at = max((edition.read_at for edition in editions), default=0.0)
    visible_at += settings.VERSION_POLL_MS / 1000 + UNPACKING_SECONDS
    time.sleep(max(0.0, visible_at - time.monotonic()))


class StaleContent(Exception):
    """The bytes at hand are not the newest any more."""


def claim(
    edition: TopicContent,
    speed: QueueConfig,
    limit: int,
    since: dt.datetime,
    *,
    passed_over: Collection[str] = (),
) -> list[ClaimedDelivery]:
    """At most so many due subscriptions of the topic, ours until the claim expires by itself.

    None of hosts that are `passed_over`. Raises Outdated when the edition is not the newest any
    more.
    """

    def due(now: dt.datetime) -> SubscriptionQuerySet:
        return Subscription.objects.due(
            edition.topic, edition.version, is_slow=speed.is_slow, since=since, now=now
        )

    return _claim(due, edition, speed, limit, passed_over)


def claim_tests(
    edition: TopicContent, speed: QueueConfig, limit: int, passed_over: Collection[str] = ()
) -> list[ClaimedDelivery]:
    """The same for subscriptions of the topic that wait for a test delivery."""

    def due(now: dt.datetime) -> SubscriptionQuerySet:
        return Subscription.objects.tests_due(now).filter(topic=edition.topic)

    claimed = _claim(due, edition, speed, limit, passed_over)
    return [replace(one, is_test=True) for one in claimed]


def _claim(
    due: Callable[[dt.datetime], SubscriptionQuerySet],
    edition: TopicContent,
    speed: QueueConfig,
    limit: int,
    passed_over: Collection[str],
) -> list[ClaimedDelivery]:
    token = secrets.token_hex(16)
    claimed_at = time.monotonic()
    with transaction.atomic():
        now = clock.now()
        # PostgreSQL passes over rows that another worker is claiming at this moment; on SQLite the
        # transaction itself is the only one that writes.
        rows = list(
            due(now)
            .exclude(callback_host__in=passed_over)
            .select_for_update(skip_locked=True)
            .only(*_NEEDED)[:limit]
        )
        # Looked at while nobody else can claim them: who was frozen after reading the bytes would
        # send them to somebody who has missed newer ones meanwhile.
        if published_versions().get(edition.topic) != edition.version:
            raise StaleContent
        if rows:
            Subscription.objects.filter(pk__in=[row.pk for row in rows]).update(
                claimed_until=now + dt.timedelta(seconds=speed.claim_seconds), claim_token=token
            )
    return [
        ClaimedDelivery(
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
    "signature_method",
    "expires_at",
    "last_status",
    "consecutive_failures",
    "hub_errors",
)
