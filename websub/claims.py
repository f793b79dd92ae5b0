"""Claims of subscriptions that are behind, each with the newest content of its topic.

A claim expires by itself, so a worker that dies with one loses nothing. No row is claimed for bytes
that are not the newest any more, so an older version never comes after a newer one. Subscriptions
that failed last time, or answered slowly, are in a queue of their own.
"""

import datetime as dt
import logging
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import DatabaseError, transaction

from guarded_http.client import Limits
from websub import clock, conf
from websub.models import Subscription, SubscriptionQuerySet
from websub.topics import TopicContent, current_version, load_content, topics, versions

logger = logging.getLogger(__name__)

WAITING_SECONDS = 8.0  # How long a claimed row may wait for a thread.
# How long TCP goes on sending to a silent callback, also after this process was killed.
UNACKNOWLEDGED_SECONDS = 3.0
MARGIN_SECONDS = 1.0
MAX_WAITS = 2  # For the newest version to be visible, which takes for ever while edits go on.


@dataclass(frozen=True, slots=True)
class QueueConfig:
    """One of the two queues, and its limits of time."""

    is_slow: bool
    limits: Limits

    @property
    def claim_seconds(self) -> float:
        """Longer than a request of its worker can reach the callback: a wait for a thread, one
        request, and what TCP still sends of it. Short, since the subscribers of a killed worker
        wait for its claims to expire."""
        return self.sending_seconds + UNACKNOWLEDGED_SECONDS + MARGIN_SECONDS

    @property
    def sending_seconds(self) -> float:
        """From a claim until its request is over, acknowledged or given up."""
        return WAITING_SECONDS + self.limits.total_seconds


FAST = QueueConfig(is_slow=False, limits=Limits(3, 5, 0, UNACKNOWLEDGED_SECONDS))
SLOW = QueueConfig(is_slow=True, limits=Limits(5, 10, 0, UNACKNOWLEDGED_SECONDS))


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A subscription that this worker has claimed, with the content to send."""

    subscription: Subscription
    content: TopicContent
    # On the monotonic clock: after `start_before` no request begins, at `ends_at` it is given up,
    # since another worker may claim the row soon after, and since nothing is sent after the lease.
    start_before: float
    ends_at: float
    lease_ends_at: float
    is_test: bool = False  # Requested by an administrator, whatever has been acknowledged.

    @property
    def callback_host(self) -> str:
        return self.subscription.callback_host

    @property
    def is_reliable(self) -> bool:
        """Whether the last delivery was acknowledged; else no connection is used twice."""
        row = self.subscription
        return row.last_status is not None and not row.consecutive_failures


class StaleContent(Exception):
    """The content that was read is not the newest any more."""


class Claimer:
    """Claims rows with the newest content, and reads each version once."""

    def __init__(self, config: QueueConfig, since: dt.datetime | None = None) -> None:
        self._config = config
        self._since = since
        self._contents: dict[str, TopicContent] = {}

    def claim(self, limit: int, exclude_hosts: Collection[str]) -> list[ClaimedDelivery]:
        claimed: list[ClaimedDelivery] = []
        for number in range(MAX_WAITS + 1):
            wanted, is_outdated = self._wanted(), False
            if number < MAX_WAITS:
                _wait_until_visible([content for content, _ in wanted])
            for content, is_test in wanted:
                room = limit - len(claimed)
                try:
                    claimed += self.claim_of(content, room, exclude_hosts, is_test=is_test)
                except StaleContent:
                    is_outdated = True
            if claimed or not is_outdated:
                break
        return claimed

    def claim_of(
        self,
        content: TopicContent,
        limit: int,
        exclude_hosts: Collection[str] = (),
        *,
        is_test: bool = False,
    ) -> list[ClaimedDelivery]:
        """Claim at most `limit` subscriptions of the topic that are due, or wait for a test.

        Raises StaleContent when `content` is not the newest any more.
        """
        claimed_at = time.monotonic()
        with transaction.atomic():
            now = clock.now()
            due = self._due(content.topic, content.version, now, is_test=is_test)
            rows = due.claim(limit, exclude_hosts, now, self._config.claim_seconds)
            # Read while no other worker can claim these rows: a worker that was frozen after it had
            # read the content would send it after a newer version.
            topic = topics().get(content.topic)
            if topic is None or current_version(topic) != content.version:
                raise StaleContent
        return [
            ClaimedDelivery(
                row,
                content,
                start_before=claimed_at + WAITING_SECONDS,
                ends_at=claimed_at + self._config.sending_seconds,
                lease_ends_at=claimed_at + (row.expires_at - now).total_seconds(),
                is_test=is_test,
            )
            for row in rows
        ]

    def _wanted(self) -> list[tuple[TopicContent, bool]]:
        """The newest content of each topic that has subscriptions due; True for a test."""
        # Tests are few and seldom, so that one queue is enough for them.
        kinds = (True, False) if self._config.is_slow else (False,)
        now = clock.now()
        return [
            (content, is_test)
            for topic, version in versions().items()
            for is_test in kinds
            if self._due(topic, version, now, is_test=is_test).exists()
            and (content := self._content(topic, version))
        ]

    def _due(
        self, topic: str, version: int, now: dt.datetime, *, is_test: bool
    ) -> SubscriptionQuerySet:
        if is_test:
            return Subscription.objects.tests_due(topic, now)
        sweep = dt.timedelta(seconds=conf.get("WEBSUB_SWEEP_SECONDS"))
        is_slow, since = self._config.is_slow, self._since or now - sweep / 2
        return Subscription.objects.due(topic, version, is_slow=is_slow, since=since, now=now)

    def _content(self, topic: str, version: int) -> TopicContent | None:
        known = self._contents.get(topic)
        if known is not None and known.version >= version:
            return known
        try:
            self._contents[topic] = load_content(topic)
        except DatabaseError:
            raise
        except Exception:
            # No row is claimed for it, so it counts against no subscriber; other topics go on.
            logger.exception("%s cannot be read and is not delivered for now", topic)
            return None
        return self._contents[topic]


def _wait_until_visible(contents: Sequence[TopicContent]) -> None:
    """Wait until a GET of each topic shows the content to push."""
    visible_at = max((content.read_at for content in contents), default=0.0)
    visible_at += conf.get("WEBSUB_VISIBLE_AFTER_SECONDS")
    time.sleep(max(0.0, visible_at - time.monotonic()))
