"""Models of recipients, events, messages, and the log of delivery attempts."""

import datetime as dt
import secrets
from base64 import b64encode
from typing import Any, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.claims import is_free
from core.secrets import Cipher
from reviews.ulids import new_ulid

SECRETS = Cipher("notifications")
RETRIED_FOR = dt.timedelta(days=3)
MAIL_INTERVAL = dt.timedelta(minutes=1)
ROTATION_OVERLAP = dt.timedelta(hours=24)
SECRET_BYTES = 32


class EventType(models.TextChoices):
    """Event types. The values are part of the webhook protocol."""

    REVIEW_CREATED = "review.created", _("New review")
    REVIEW_UPDATED = "review.updated", _("Changed review")
    REVIEW_REMOVED = "review.removed", _("Removed review")
    SOURCE_FAILED = "source.failed", _("Failing source")
    RUN_WAITING = "run.waiting", _("Source run that needs a decision")
    SUBSCRIPTION_REMOVED = "subscription.removed", _("Removed subscriber of the hub")
    WEBHOOK_DISABLED = "webhook.disabled", _("Disabled webhook")
    REPLY_REFUSED = "reply.refused", _("Reply that a site refused")
    BACKUP_FAILED = "backup.failed", _("Failed backup")
    ACCOUNT_LOCKED = "account.locked", _("Locked sign-in")
    TEST = "test", _("Test")


REVIEW_EVENTS = (EventType.REVIEW_CREATED, EventType.REVIEW_UPDATED, EventType.REVIEW_REMOVED)
WEBHOOK_EVENTS = (
    *REVIEW_EVENTS,
    EventType.SOURCE_FAILED,
    EventType.SUBSCRIPTION_REMOVED,
    EventType.REPLY_REFUSED,
    EventType.BACKUP_FAILED,
)


def new_secret() -> str:
    """Return a signing secret in the format of Standard Webhooks."""
    return f"whsec_{b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"


def retry_deadline() -> dt.datetime:
    return timezone.now() + RETRIED_FOR


def _local(at: dt.datetime) -> str:
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M}"


# --- Addresses ------------------------------------------------------------------------------------


class Endpoint(models.Model):
    """A webhook: the address that events are posted to."""

    class Format(models.TextChoices):
        STANDARD = "standard", _("Standard Webhooks (JSON, signed)")
        SLACK = "slack", "Slack"
        DISCORD = "discord", "Discord"
        TEAMS = "teams", "Microsoft Teams"
        NTFY = "ntfy", "ntfy"

    name = models.CharField(_("name"), max_length=100)
    url = models.CharField(_("address"), max_length=2048)
    format = models.CharField(
        _("format"), max_length=10, choices=Format.choices, default=Format.STANDARD
    )
    events = models.JSONField(_("events"), default=list)
    is_enabled = models.BooleanField(_("enabled"), default=True)
    disabled_reason = models.CharField(_("why it is disabled"), max_length=300, blank=True)
    encrypted_secret = models.TextField(blank=True, editable=False)
    encrypted_former_secret = models.TextField(blank=True, editable=False)
    former_secret_until = models.DateTimeField(null=True, blank=True, editable=False)
    next_attempt_at = models.DateTimeField(default=timezone.now, editable=False)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True, editable=False)
    consecutive_failures = models.PositiveIntegerField(default=0, editable=False)
    last_success_at = models.DateTimeField(_("last success"), null=True, blank=True, editable=False)
    last_error = models.CharField(_("last error"), max_length=300, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.name

    @property
    def host(self) -> str:
        """The part of the address that is shown and logged. The rest may be secret."""
        return urlsplit(self.url).netloc

    def set_secret(self, secret: str) -> None:
        """Replace the secret. For a day, messages are also signed with the former one."""
        self.encrypted_former_secret = self.encrypted_secret
        self.former_secret_until = timezone.now() + ROTATION_OVERLAP
        self.encrypted_secret = SECRETS.encrypt(secret.encode()).decode()

    def signing_secrets(self) -> list[str]:
        """The secrets to sign with, the newest first. Raises `core.secrets.SecretLost`."""
        stored = [self.encrypted_secret]
        if self.former_secret_until and self.former_secret_until > timezone.now():
            stored.append(self.encrypted_former_secret)
        return [SECRETS.decrypt(each.encode()).decode() for each in stored if each]


class Recipient(models.Model):
    """The e-mail settings of a user."""

    class Digest(models.TextChoices):
        NONE = "", _("None")
        DAILY = "daily", _("Each day")
        WEEKLY = "weekly", _("Each Monday")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications"
    )
    # The highest rating of reviews to report: 0 for none, 5 for all.
    most_stars = models.PositiveSmallIntegerField(_("new reviews"), default=0)
    events = models.JSONField(_("problems"), default=list, blank=True)
    digest = models.CharField(
        _("digest"), max_length=6, choices=Digest.choices, default=Digest.NONE, blank=True
    )
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    last_mail_at = models.DateTimeField(null=True, blank=True, editable=False)
    digested_on = models.DateField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")

    def __str__(self) -> str:
        return self.user.get_username()

    def reserve_minute(self) -> bool:
        """Claim the one message of this minute. Return False if another worker has claimed it."""
        now = timezone.now()
        rested = Q(last_mail_at=None) | Q(last_mail_at__lte=now - MAIL_INTERVAL)
        mine = Recipient.objects.filter(rested, pk=self.pk)
        return bool(mine.update(last_mail_at=now))

    def is_quiet(self, at: dt.time) -> bool:
        """Whether this local time lies in the quiet hours, which may span midnight."""
        begin, end = self.quiet_from, self.quiet_until
        if begin is None or end is None or begin == end:
            return False
        return begin <= at < end if begin < end else at >= begin or at < end


# --- Events ---------------------------------------------------------------------------------------


class Event(models.Model):
    """An event, recorded once. `key` is unique within the type."""

    type = models.CharField(_("event"), max_length=30, choices=EventType.choices)
    key = models.CharField(max_length=100)
    data = models.JSONField(default=dict)
    review_id = models.BigIntegerField(null=True, blank=True, db_index=True)
    at = models.DateTimeField(_("time"), default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["type", "key"], name="event_once")]
        verbose_name = _("event")
        verbose_name_plural = _("events")

    def __str__(self) -> str:
        return f"{self.get_type_display()}, {_local(self.at)}"


class KnownReview(models.Model):
    """The last recorded version of a published review."""

    review_id = models.BigIntegerField(primary_key=True)
    ulid = models.CharField(max_length=26)
    modified_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.ulid


class Recorder(models.Model):
    """The point up to which changes were recorded. The table has one row."""

    # Null while no address wants events of reviews.
    revision = models.PositiveBigIntegerField(null=True)
    # Earlier troubles are not reported.
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return str(self.revision)


# --- Messages -------------------------------------------------------------------------------------


class PasswordRequest(models.Model):
    """A request for a new password, for an address that a user may or may not have.

    The web process stores every request, so that its response time reveals nothing. A worker
    searches the user.
    """

    email = models.CharField(max_length=254)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return str(self.pk)


class MessageQuerySet(models.QuerySet["Message"]):
    def waiting(self) -> Self:
        return self.filter(state=Message.State.WAITING)

    def due(self, now: dt.datetime) -> Self:
        """Unclaimed messages that may be sent now.

        An endpoint gets one message at a time, and the messages about a review in their order. A
        recipient gets one message a minute.
        """
        earlier = Message.objects.waiting().filter(
            endpoint=OuterRef("endpoint"), review_id=OuterRef("review_id"), pk__lt=OuterRef("pk")
        )
        claimed = Message.objects.waiting().filter(claimed_until__gt=now)
        at_work = claimed.exclude(endpoint=None).values("endpoint")
        is_open = Q(endpoint__is_enabled=True, endpoint__next_attempt_at__lte=now)
        is_rested = Q(recipient__last_mail_at=None) | Q(
            recipient__last_mail_at__lte=now - MAIL_INTERVAL
        )
        return (
            self.waiting()
            .filter(is_free(now), next_attempt_at__lte=now)
            .filter(Q(endpoint=None) | is_open)
            .filter(Q(recipient=None) | is_rested)
            .exclude(Exists(earlier))
            .filter(Q(endpoint=None) | ~Q(endpoint__in=at_work))
            .order_by("next_attempt_at", "pk")
        )


class Message(models.Model):
    """One delivery to one address. The table is the queue."""

    class Kind(models.TextChoices):
        WEBHOOK = "webhook", _("Webhook")
        NEWS = "news", _("News")
        DIGEST = "digest", _("Digest")
        TEST = "test", _("Test")
        PASSWORD = "password", _("Reset of a password")
        INVITATION = "invitation", _("Invitation")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        DELIVERED = "delivered", _("Delivered")
        FAILED = "failed", _("Failed")

    uid = models.CharField(max_length=26, unique=True, editable=False)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    endpoint = models.ForeignKey(
        Endpoint, null=True, blank=True, on_delete=models.CASCADE, verbose_name=_("webhook")
    )
    recipient = models.ForeignKey(
        Recipient, null=True, blank=True, on_delete=models.CASCADE, verbose_name=_("recipient")
    )
    event = models.ForeignKey(
        Event, null=True, blank=True, on_delete=models.CASCADE, verbose_name=_("event")
    )
    review_id = models.BigIntegerField(null=True, blank=True)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    last_error = models.CharField(_("last error"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, db_index=True)
    next_attempt_at = models.DateTimeField(_("next attempt"), default=timezone.now)
    retried_until = models.DateTimeField()
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    claim_token = models.CharField(max_length=32, blank=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.CheckConstraint(
                name="message_has_one_address",
                condition=Q(endpoint__isnull=False, recipient=None, event__isnull=False)
                | Q(endpoint=None, recipient__isnull=False),
            ),
            models.UniqueConstraint(fields=["endpoint", "event"], name="message_once"),
        ]
        indexes = [  # Without a condition, which SQLite would not see in a bound value.
            models.Index(fields=["state", "next_attempt_at"], name="message_due"),
            models.Index(fields=["endpoint", "state", "review_id"], name="message_order"),
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not args:  # A new row; defaults of fields would tie migrations to these functions.
            kwargs = {"uid": new_ulid(), "retried_until": retry_deadline(), **kwargs}
        super().__init__(*args, **kwargs)

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {_local(self.created_at)}"


class Notice(models.Model):
    """An event for a recipient. One message may bundle several notices."""

    recipient = models.ForeignKey(Recipient, on_delete=models.CASCADE)
    event = models.ForeignKey(Event, on_delete=models.CASCADE)
    message = models.ForeignKey(
        Message, null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["recipient", "event"], name="notice_once")]

    def __str__(self) -> str:
        return f"{self.event_id} for {self.recipient_id}"


class DeliveryAttempt(models.Model):
    """One attempt to deliver a message, kept for some weeks."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(_("time"), default=timezone.now, db_index=True)
    is_success = models.BooleanField(_("success"), default=False)
    status = models.PositiveSmallIntegerField(_("status"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=300, blank=True)
    body = models.TextField(_("sent"), blank=True)
    answer = models.CharField(_("answer"), max_length=500, blank=True)
    seconds = models.FloatField(_("seconds"), default=0)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")

    def __str__(self) -> str:
        return _local(self.at)
