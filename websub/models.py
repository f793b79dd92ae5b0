"""Subscriptions, requests that wait for verification, and the log of delivery attempts."""

import datetime as dt
import hashlib
import math
import secrets
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Self, TypeVar

from django.db import models
from django.db.models import F, Min, Q
from django.utils import timezone

from websub import clock, conf

# The fields of a row that no worker has claimed.
RELEASED_CLAIM: Mapping[str, Any] = {"claimed_until": None, "claim_token": ""}


def lock_rows(rows: models.QuerySet[Any]) -> list[int]:
    """Lock these rows until the transaction ends, and return their keys.

    Every change of several rows locks them first, in this order; otherwise two would wait for each
    other.
    """
    return list(rows.order_by("pk").select_for_update().values_list("pk", flat=True))


def pair_key(callback: str, topic: str) -> str:
    """The hash that identifies a subscription (WebSub 5.1), however long the callback is."""
    return hashlib.sha256(f"{topic}\n{callback}".encode()).hexdigest()


def callback_hash(callback: str) -> str:
    """A callback's hash, by which log lines are found without holding the callback itself."""
    return hashlib.sha256(callback.encode()).hexdigest()


class QueuedPair(models.Model):
    """A callback and a topic, with the next request to the callback and its claim."""

    key = models.CharField(max_length=64, editable=False)
    callback = models.TextField()
    callback_host = models.CharField(max_length=255, db_index=True)  # Limits are counted by it.
    topic = models.CharField(max_length=500)
    encrypted_secret = models.TextField(blank=True)  # See `websub.secrets`.
    lease_seconds = models.PositiveIntegerField()
    next_attempt_at = models.DateTimeField(default=timezone.now)
    claimed_until = models.DateTimeField(null=True, blank=True)
    claim_token = models.CharField(max_length=32, blank=True)
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.callback_host} follows {self.topic}"

    def pair(self) -> dict[str, str]:
        """The fields that another row of the same pair has as well."""
        return {name: getattr(self, name) for name in ("key", "callback", "callback_host", "topic")}


Row = TypeVar("Row", bound=QueuedPair)


class QueueQuerySet(models.QuerySet[Row]):
    def free(self, now: dt.datetime) -> Self:
        """Rows without a claim, or whose claim has expired."""
        return self.filter(Q(claimed_until=None) | Q(claimed_until__lte=now))

    def claim(
        self, limit: int, exclude_hosts: Collection[str], now: dt.datetime, seconds: float
    ) -> list[Row]:
        """Claim at most so many of these rows in a transaction; results need the rows' token."""
        # PostgreSQL passes over rows that another worker is claiming at this moment; on SQLite the
        # transaction itself is the only one that writes.
        rows = self.exclude(callback_host__in=exclude_hosts).select_for_update(skip_locked=True)
        claimed, token = list(rows[:limit]), secrets.token_hex(16)
        if claimed:
            self.model._default_manager.filter(pk__in=[row.pk for row in claimed]).update(
                claimed_until=now + dt.timedelta(seconds=seconds), claim_token=token
            )
        for row in claimed:
            row.claim_token = token
        return claimed

    def seconds_to_next(self, within: float) -> float | None:
        """How long until a row falls due that is not yet, if sooner than `within`."""
        now = clock.now()
        end = now + dt.timedelta(seconds=within)
        soon = self.filter(next_attempt_at__gt=now, next_attempt_at__lt=end)
        first = soon.aggregate(first=Min("next_attempt_at"))["first"]
        return (first - now).total_seconds() if first else None


class SubscriptionQuerySet(QueueQuerySet["Subscription"]):
    def active(self, now: dt.datetime | None = None) -> Self:
        return self.filter(expires_at__gt=now or clock.now())

    def expired(self) -> Self:
        """Subscriptions whose lease is over, and which no worker has claimed."""
        now = clock.now()
        return self.free(now).filter(expires_at__lte=now)

    def end(self) -> int:
        """Delete the rows; those that a worker has claimed expire at once, and are deleted later.

        A claim outlives its subscription, so that a new one for the same pair waits until the
        request that may be under way is over.
        """
        now = clock.now()
        rows = Subscription.objects.filter(pk__in=lock_rows(self))
        claimed = rows.filter(claimed_until__gt=now)
        held = claimed.update(expires_at=now, claim_token="")
        return held + rows.free(now).delete()[1].get(Subscription._meta.label, 0)

    def behind(self, topic: str, version: int) -> Self:
        """Subscriptions of the topic that have acknowledged an older version."""
        return self.filter(topic=topic, acknowledged_version__lt=version)

    def due(
        self, topic: str, version: int, *, is_slow: bool, since: dt.datetime, now: dt.datetime
    ) -> Self:
        """Subscriptions of a queue that may be claimed now, in the order of their index.

        Where no wait follows a failure, those that were tried after `since` are left to the next
        sweep.
        """
        return (
            self.active(now)
            .behind(topic, version)
            .free(now)
            # `in`, because SQLite sorts the whole topic for `NOT is_slow`, which is Django's way of
            # asking for False: 0.16 s for 100 of 300,000 rows instead of 0.003 s.
            .filter(in_slow_queue__in=[is_slow], next_attempt_at__lte=now)
            .exclude(last_attempt_at__gt=since, next_attempt_at=F("last_attempt_at"))
            .order_by("acknowledged_version", "next_attempt_at")
        )

    def tests_due(self, topic: str, now: dt.datetime) -> Self:
        """Subscriptions that wait for a test delivery, oldest request first."""
        waiting = self.active(now).free(now).filter(topic=topic, test_requested_at__lte=now)
        return waiting.order_by("test_requested_at")

    def is_host_full(self, host: str, topics: Collection[str]) -> bool:
        """Whether the host has all the active subscriptions that one may have."""
        most: int = conf.get("WEBSUB_MAX_PER_HOST")
        rows = self.active().filter(callback_host=host, topic__in=topics)
        return bool(most) and rows.count() >= most


class Subscription(QueuedPair):
    """A verified subscription: the queue of its own deliveries."""

    class State(models.TextChoices):
        ACTIVE = "active"
        FAILING = "failing"
        ORPHANED = "orphaned"
        EXPIRED = "expired"

    expires_at = models.DateTimeField(db_index=True)
    acknowledged_version = models.PositiveBigIntegerField(default=0)
    consecutive_failures = models.PositiveSmallIntegerField(default=0, db_column="misses")
    in_slow_queue = models.BooleanField(default=False, db_column="is_slow")
    last_attempt_at = models.DateTimeField(null=True, blank=True)
    last_seconds = models.FloatField(null=True, blank=True)
    hub_errors = models.PositiveSmallIntegerField(default=0, db_column="own_faults")
    test_requested_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="subscription_pair"),
        ]
        indexes = [
            models.Index(
                fields=["topic", "in_slow_queue", "acknowledged_version", "next_attempt_at"],
                name="subscription_due",
            ),
            models.Index(
                F("test_requested_at"),
                condition=Q(test_requested_at__isnull=False),
                name="subscription_test",
            ),
        ]

    def state(self, topics: Collection[str], now: dt.datetime) -> State:
        """The state that matters most, given the topics that the hub serves."""
        if self.expires_at <= now:
            return self.State.EXPIRED
        if self.topic not in topics:
            return self.State.ORPHANED
        return self.State.FAILING if self.consecutive_failures else self.State.ACTIVE


class VerificationQuerySet(QueueQuerySet["Verification"]):
    def pending(self) -> Self:
        return self.filter(state=Verification.State.PENDING)

    def due(self, now: dt.datetime) -> Self:
        return self.pending().free(now).filter(next_attempt_at__lte=now)

    def is_full(self, most: int) -> bool:
        """Whether as many as `most` wait for their verification."""
        return self.pending().order_by("next_attempt_at")[most - 1 : most].exists()

    def queue_denials(self, pairs: Iterable[QueuedPair], reason: str) -> None:
        """Have the callbacks told that this hub ended or denied a subscription (WebSub 5.2).

        Called in the transaction that ends or denies it. The rows wait among those to be verified,
        with their retries and limits. A callback with a newer request is not told: the answer to
        that request replaces the denial.
        """
        now = clock.now()
        denials = [
            Verification(
                **pair.pair(),
                topic_as_sent=getattr(pair, "topic_as_sent", pair.topic),
                mode=Verification.Mode.DENIED,
                requested_at=now,
                next_attempt_at=now,
                lease_seconds=0,
                reason=reason,
            )
            for pair in pairs
        ]
        self.bulk_create(denials, ignore_conflicts=True)


class Verification(QueuedPair):
    """A request whose intent is to be verified; no subscription changes until it is."""

    class State(models.TextChoices):
        PENDING = "pending", "Waiting"
        CONFIRMED = "confirmed", "Confirmed"
        REFUSED = "refused", "Refused by the callback"
        FAILED = "failed", "Not reached"
        DENIED = "denied", "Denied by this hub"
        REPORTED = "reported", "Callback informed"

    class Mode(models.TextChoices):
        SUBSCRIBE = "subscribe"
        UNSUBSCRIBE = "unsubscribe"
        DENIED = "denied"

    mode = models.CharField(max_length=11, choices=Mode.choices)
    topic_as_sent = models.CharField(max_length=2048)
    # What was published when it was asked for: a new subscription is sent all that is newer.
    published_version = models.PositiveBigIntegerField(db_default=0)
    reason = models.CharField(max_length=300, blank=True, db_default="")
    state = models.CharField(max_length=9, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    requested_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    start_before = math.inf  # On the monotonic clock of the worker that claimed it; not stored.

    objects = VerificationQuerySet.as_manager()

    class Meta:
        constraints = [
            # A new request replaces the one that waits (WebSub 5.1): one pending per pair.
            models.UniqueConstraint(
                fields=["key"], condition=Q(state="pending"), name="verification_pending_pair"
            ),
        ]
        indexes = [
            models.Index(
                F("next_attempt_at"), condition=Q(state="pending"), name="verification_due"
            ),
        ]


class StoredContent(models.Model):
    """The newest content of a topic without versions."""

    url = models.CharField(max_length=conf.MAX_TOPIC_CHARACTERS, unique=True)
    version = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    body = models.BinaryField(default=bytes)
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.url}, version {self.version}"


class Attempt(models.Model):
    """One delivery attempt; kept for some days, for the administration."""

    class Result(models.TextChoices):
        ACKNOWLEDGED = "acknowledged", "Acknowledged"
        FAILED = "failed", "Failed"
        GONE = "gone", "Gone (410)"
        HUB_ERROR = "hub_error", "Error of the hub"

    subscription = models.ForeignKey(
        Subscription, null=True, on_delete=models.SET_NULL, related_name="tried"
    )
    callback_host = models.CharField(max_length=255)
    callback_hash = models.CharField(
        max_length=64, blank=True, default="", db_default="", db_index=True
    )
    topic = models.CharField(max_length=500)
    version = models.PositiveBigIntegerField()
    result = models.CharField(max_length=12, choices=Result.choices)
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=300, blank=True)
    seconds = models.FloatField()
    sent_bytes = models.PositiveBigIntegerField(null=True)
    signature_method = models.CharField(max_length=6, blank=True, default="", db_default="")
    is_test = models.BooleanField(default=False, db_default=False)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.result}: {self.callback_host}, version {self.version}"
