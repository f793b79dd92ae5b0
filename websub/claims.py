"""Claim subscriptions that lack the newest content of their topic.

Claims expire, so nothing is lost when a worker dies. A row is claimed only for the newest bytes, so
an older version never follows a newer one. Subscriptions whose last delivery failed or was slow
have a separate queue.
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
# How long TCP keeps sending to a silent callback, even after this process was killed.
UNACKNOWLEDGED_SECONDS = 3.0
MARGIN_SECONDS = 1.0
MAX_WAITS = 2  # For the newest version to become visible; continuous edits would never end it.


@dataclass(frozen=True, slots=True)
class QueueConfig:
    """One of the two queues, with its timeouts."""

    is_slow: bool
    limits: Limits

    @property
    def claim_seconds(self) -> float:
        """Duration of a claim: waiting for a thread, one request, and what TCP still sends.

        It is no longer than that because a killed worker's rows wait until its claims expire.
        """
        return self.sending_seconds + UNACKNOWLEDGED_SECONDS + MARGIN_SECONDS

    @property
    def sending_seconds(self) -> float:
        """Duration from a claim to the end of its request."""
        return WAITING_SECONDS + self.limits.total_seconds


FAST = QueueConfig(is_slow=False, limits=Limits(3, 5, 0, UNACKNOWLEDGED_SECONDS))
SLOW = QueueConfig(is_slow=True, limits=Limits(5, 10, 0, UNACKNOWLEDGED_SECONDS))


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A subscription that this worker has claimed, with the content to send.

    Times are on the monotonic clock. No request starts after `start_before`. A request is aborted
    at `ends_at`, as another worker may then claim the row, and when the lease ends.
    """

    subscription: Subscription
    content: TopicContent
    start_before: float
    ends_at: float
    lease_ends_at: float
    is_test: bool = False  # Requested by an administrator, even for acknowledged content.

    @property
    def callback_host(self) -> str:
        return self.subscription.callback_host

    @property
    def is_reliable(self) -> bool:
        """Whether the last delivery was acknowledged, so that its connection may be reused."""
        row = self.subscription
        return row.last_status is not None and not row.consecutive_failures


class StaleContent(Exception):
    """The loaded content is no longer the newest."""


class Claimer:
    """Claim rows with the newest content; load each version once."""

    def __init__(self, config: QueueConfig, since: dt.datetime | None = None) -> None:
        self._config = config
        self._since = since
        self._contents: dict[str, TopicContent] = {}

    def claim(self, limit: int, exclude_hosts: Collection[str]) -> list[ClaimedDelivery]:
        claimed: list[ClaimedDelivery] = []
        for number in range(MAX_WAITS + 1):
            due, is_outdated = self._due_contents(), False
            if number < MAX_WAITS:
                _wait_until_visible([content for content, _ in due])
            for content, is_test in due:
                room = limit - len(claimed)
                try:
                    claimed += self.claim_for(content, room, exclude_hosts, is_test=is_test)
                except StaleContent:
                    is_outdated = True
            if claimed or not is_outdated:
                break
        return claimed

    def claim_for(
        self,
        content: TopicContent,
        limit: int,
        exclude_hosts: Collection[str] = (),
        *,
        is_test: bool = False,
    ) -> list[ClaimedDelivery]:
        """Claim up to `limit` due subscriptions, or with `is_test` those waiting for a test.

        Raises StaleContent if `content` is no longer the newest.
        """
        claimed_at = time.monotonic()
        with transaction.atomic():
            now = clock.now()
            due = self._due(content.topic, content.version, now, is_test=is_test)
            rows = due.claim(limit, exclude_hosts, now, self._config.claim_seconds)
            # Checked while no other worker can claim these rows. Otherwise a worker that paused
            # after loading the content could send it after a newer version.
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

    def _due_contents(self) -> list[tuple[TopicContent, bool]]:
        """Newest content of each topic with due subscriptions, and whether it is for tests."""
        # Tests are rare, so the slow queue sends all of them.
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
            # No row is claimed for this topic, so no subscriber's failures are counted.
            logger.exception("%s cannot be read and is not delivered for now", topic)
            return None
        return self._contents[topic]


def _wait_until_visible(contents: Sequence[TopicContent]) -> None:
    """Wait until a GET of each topic returns the content to push."""
    visible_at = max((content.read_at for content in contents), default=0.0)
    visible_at += conf.get("WEBSUB_VISIBLE_AFTER_SECONDS")
    time.sleep(max(0.0, visible_at - time.monotonic()))
