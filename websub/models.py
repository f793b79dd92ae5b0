"""Subscriptions, requests to verify, and the log of delivery attempts."""

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

# Values of an unclaimed row.
RELEASED_CLAIM: Mapping[str, Any] = {"claimed_until": None, "claim_token": ""}


def lock_rows(rows: models.QuerySet[Any]) -> list[int]:
    """Lock rows until the transaction ends, and return their keys.

    Locking in one order before each change of several rows prevents deadlocks.
    """
    return list(rows.order_by("pk").select_for_update().values_list("pk", flat=True))


def pair_key(callback: str, topic: str) -> str:
    """Return the hash that identifies a subscription (WebSub 5.1); callbacks may be long."""
    return hashlib.sha256(f"{topic}\n{callback}".encode()).hexdigest()


def callback_hash(callback: str) -> str:
    """Return the hash that the log stores in place of a callback."""
    return hashlib.sha256(callback.encode()).hexdigest()


class QueuedPair(models.Model):
    """A callback and its topic, with the claim and time of the next request."""

    key = models.CharField(max_length=64, editable=False)
    callback = models.TextField()
    callback_host = models.CharField(max_length=255, db_index=True)  # Limits are per host.
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
        """Return the fields that all rows of this pair share."""
        return {name: getattr(self, name) for name in ("key", "callback", "callback_host", "topic")}


Row = TypeVar("Row", bound=QueuedPair)


class QueueQuerySet(models.QuerySet[Row]):
    def unclaimed(self, now: dt.datetime) -> Self:
        """Rows without a claim or with an expired one."""
        return self.filter(Q(claimed_until=None) | Q(claimed_until__lte=now))

    def claim(
        self, limit: int, exclude_hosts: Collection[str], now: dt.datetime, seconds: float
    ) -> list[Row]:
        """Claim up to `limit` rows in a transaction; results are stored by the claim's token."""
        # PostgreSQL skips rows that another worker is claiming; SQLite has one writer at a time.
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
        """Return the time until the next row falls due, None if longer than `within`."""
        now = clock.now()
        end = now + dt.timedelta(seconds=within)
        soon = self.filter(next_attempt_at__gt=now, next_attempt_at__lt=end)
        first = soon.aggregate(first=Min("next_attempt_at"))["first"]
        return (first - now).total_seconds() if first else None


class SubscriptionQuerySet(QueueQuerySet["Subscription"]):
    def active(self, now: dt.datetime | None = None) -> Self:
        return self.filter(expires_at__gt=now or clock.now())

    def expired(self) -> Self:
        """Unclaimed subscriptions whose lease has ended."""
        now = clock.now()
        return self.unclaimed(now).filter(expires_at__lte=now)

    def end(self) -> int:
        """End subscriptions: delete unclaimed rows, and let claimed ones expire now.

        A claimed row stays until its claim expires, so that a new subscription of the same pair
        waits for a request that may be in flight.
        """
        now = clock.now()
        rows = Subscription.objects.filter(pk__in=lock_rows(self))
        claimed = rows.filter(claimed_until__gt=now)
        held = claimed.update(expires_at=now, claim_token="")
        return held + rows.unclaimed(now).delete()[1].get(Subscription._meta.label, 0)

    def behind(self, topic: str, version: int) -> Self:
        """Subscriptions to the topic that lack this version."""
        return self.filter(topic=topic, acknowledged_version__lt=version)

    def due(
        self, topic: str, version: int, *, is_slow: bool, since: dt.datetime, now: dt.datetime
    ) -> Self:
        """Subscriptions of a queue that may be claimed now, in the order of their index.

        Leaves out subscriptions without a retry delay that were tried after `since`.
        """
        return (
            self.active(now)
            .behind(topic, version)
            .unclaimed(now)
            # With `in` SQLite uses the index. For `=False` Django writes `NOT is_slow`, which sorts
            # the whole topic: 0.16 s instead of 0.003 s for 100 of 300,000 rows.
            .filter(in_slow_queue__in=[is_slow], next_attempt_at__lte=now)
            .exclude(last_attempt_at__gt=since, next_attempt_at=F("last_attempt_at"))
            .order_by("acknowledged_version", "next_attempt_at")
        )

    def tests_due(self, topic: str, now: dt.datetime) -> Self:
        """Subscriptions that wait for a test delivery, oldest request first."""
        waiting = self.active(now).unclaimed(now).filter(topic=topic, test_requested_at__lte=now)
        return waiting.order_by("test_requested_at")

    def is_host_full(self, host: str, topics: Collection[str]) -> bool:
        """Whether the host has reached `WEBSUB_MAX_PER_HOST` active subscriptions."""
        most: int = conf.get("WEBSUB_MAX_PER_HOST")
        rows = self.active().filter(callback_host=host, topic__in=topics)
        return bool(most) and rows.count() >= most


class Subscription(QueuedPair):
    """A verified subscription, and the state of its deliveries."""

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
        constraints = [models.UniqueConstraint(fields=["key"], name="subscription_pair")]
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
        """Return the most severe state, given the topics that the hub serves."""
        if self.expires_at <= now:
            return self.State.EXPIRED
        if self.topic not in topics:
            return self.State.ORPHANED
        return self.State.FAILING if self.consecutive_failures else self.State.ACTIVE


class VerificationQuerySet(QueueQuerySet["Verification"]):
    def pending(self) -> Self:
        return self.filter(state=Verification.State.PENDING)

    def due(self, now: dt.datetime) -> Self:
        return self.pending().unclaimed(now).filter(next_attempt_at__lte=now)

    def is_full(self, most: int) -> bool:
        """Whether `most` or more requests are pending."""
        return self.pending().order_by("next_attempt_at")[most - 1 : most].exists()

    def queue_denials(self, pairs: Iterable[QueuedPair], reason: str) -> None:
        """Queue denials, which tell callbacks that a subscription has ended (WebSub 5.2).

        Call it in the transaction that ends or denies the subscriptions. Denials share the queue,
        retries and limits of verifications. No denial is queued while the pair has a pending row.
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
    """A request whose intent must be verified before it changes a subscription."""

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
    # The newest version at the time of the request; a new subscription gets newer ones.
    published_version = models.PositiveBigIntegerField(db_default=0)
    reason = models.CharField(max_length=300, blank=True, db_default="")
    state = models.CharField(max_length=9, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    requested_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    start_before = math.inf  # On the monotonic clock of the claiming worker; not stored.

    objects = VerificationQuerySet.as_manager()

    class Meta:
        constraints = [
            # A new request replaces a pending one of the same pair (WebSub 5.1).
            models.UniqueConstraint(
                fields=["key"], condition=Q(state="pending"), name="verification_pending_pair"
            )
        ]
        indexes = [
            models.Index(
                F("next_attempt_at"), condition=Q(state="pending"), name="verification_due"
            )
        ]


class StoredContent(models.Model):
    """Newest content of a topic that has no versions of its own."""

    url = models.CharField(max_length=conf.MAX_TOPIC_CHARACTERS, unique=True)
    version = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    body = models.BinaryField(default=bytes)
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.url}, version {self.version}"


class Attempt(models.Model):
    """Log entry of one delivery attempt, kept for a week."""

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
