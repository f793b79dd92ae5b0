"""Connections to sources, and their runs."""

import datetime as dt
import json
import secrets
from typing import Any, Self

from django.conf import settings as project
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.secrets import Cipher
from imports.models import ImportBatch

SECRETS = Cipher("sources")
POLL_LABEL = "look-"  # Prefix of the claim tokens of polls.
LEAST_INTERVAL_SECONDS = 5
TOKEN_BYTES = 24


class ConnectionQuerySet(models.QuerySet["SourceConnection"]):
    def being_polled(self, now: dt.datetime) -> Self:
        """Connections that a worker has claimed for a poll, not for an import."""
        return self.filter(claimed_until__gt=now, claim_token__startswith=POLL_LABEL)

    def due(self, now: dt.datetime) -> Self:
        """Connections to poll now.

        A connection is not due while one of its runs waits to be imported, or one of its fetched
        runs waits for approval.
        """
        open_runs = SourceRun.objects.filter(connection=OuterRef("pk")).filter(
            Q(state=SourceRun.State.STORED)
            | Q(state=SourceRun.State.WAITING) & ~Q(trigger=SourceRun.Trigger.PUSH)
        )
        is_active = Q(state=SourceConnection.State.ACTIVE)
        is_requested = ~Q(requested=SourceConnection.Request.NONE)
        return (
            self.filter(is_active | is_requested, next_look_at__lte=now)
            .exclude(Exists(open_runs))
            .order_by("next_look_at", "pk")
        )

    def with_stored_runs(self) -> Self:
        """Connections that have a run to import, ordered by their oldest run.

        Runs of a paused connection wait, unless an administrator requested one.
        """
        stored = SourceRun.objects.filter(connection=OuterRef("pk"), state=SourceRun.State.STORED)
        is_requested = ~Q(requested=SourceConnection.Request.NONE) | Exists(
            stored.filter(trigger=SourceRun.Trigger.PERSON)
        )
        is_open = ~Q(state=SourceConnection.State.PAUSED) | is_requested
        oldest = Subquery(stored.order_by("pk").values("pk")[:1])
        rows = self.filter(is_open).annotate(oldest=oldest)
        return rows.exclude(oldest=None).order_by("oldest")


class SourceConnection(models.Model):
    """A source of reviews: its settings, its schedule and its health."""

    class State(models.TextChoices):
        ACTIVE = "active", _("Active")
        PAUSED = "paused", _("Paused")
        STOPPED = "stopped", _("Stopped: needs your action")

    class Request(models.TextChoices):
        """A poll that an administrator asked for."""

        NONE = "", _("None")
        IMPORT = "import", _("Check and import")
        PREVIEW = "preview", _("Check and show a preview")

    name = models.CharField(_("name"), max_length=100)
    kind = models.CharField(_("kind"), max_length=40)
    settings = models.JSONField(default=dict, blank=True)
    encrypted_secret = models.TextField(blank=True, editable=False)
    import_options = models.JSONField(default=dict, blank=True)
    interval_seconds = models.PositiveIntegerField(_("check for new reviews"), default=3600)
    is_complete = models.BooleanField(
        _("it always lists all of its reviews"),
        default=False,
        help_text=_(
            "Hide reviews that the source no longer lists. More than 5 % or 20 at a time "
            "wait for your approval. Reviews that you first imported by hand are never "
            "hidden by this."
        ),
    )
    holds_new = models.BooleanField(
        _("new reviews wait for my release"),
        default=False,
        help_text=_("Nobody sees them until you show them to the public."),
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.ACTIVE)
    requested = models.CharField(
        max_length=10, choices=Request.choices, default=Request.NONE, blank=True
    )

    next_look_at = models.DateTimeField(default=timezone.now, db_index=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    claim_token = models.CharField(max_length=32, blank=True)

    # Passed to the next poll: validators or a cursor of the connector, and a hash of the content.
    fetch_state = models.JSONField(default=dict, blank=True)
    content_sha256 = models.CharField(max_length=64, blank=True)
    announced = models.JSONField(default=list, blank=True)  # Ids from pushes, still to be fetched.

    last_look_at = models.DateTimeField(_("last checked"), null=True, blank=True)
    last_success_at = models.DateTimeField(null=True, blank=True)
    last_change_at = models.DateTimeField(_("last change"), null=True, blank=True)
    last_error = models.TextField(blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    consecutive_failures = models.PositiveIntegerField(default=0)
    looks = models.PositiveBigIntegerField(default=0)
    looks_without_change = models.PositiveBigIntegerField(default=0)

    # The last good import, with which `hold_reasons` compares the next one.
    last_format = models.CharField(max_length=40, blank=True)
    last_place = models.CharField(max_length=250, blank=True)
    last_rows = models.PositiveIntegerField(default=0)
    most_rows = models.PositiveIntegerField(default=0)
    expected_rows = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ConnectionQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        constraints = [
            models.CheckConstraint(
                name="source_interval_is_long_enough",
                condition=Q(interval_seconds__gte=LEAST_INTERVAL_SECONDS),
            ),
            models.CheckConstraint(
                name="source_claim_is_whole",
                condition=Q(claimed_until=None, claim_token="")
                | Q(claimed_until__isnull=False) & ~Q(claim_token=""),
            ),
            models.CheckConstraint(
                name="source_rows_within_most", condition=Q(last_rows__lte=F("most_rows"))
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def secrets(self) -> dict[str, str]:
        """Secret settings by name. Raises `core.secrets.SecretLost`."""
        stored = self.encrypted_secret.encode()
        found: dict[str, str] = json.loads(SECRETS.decrypt(stored)) if stored else {}
        return found

    @secrets.setter
    def secrets(self, values: dict[str, str]) -> None:
        given = {name: value for name, value in values.items() if value}
        content = json.dumps(given).encode()
        self.encrypted_secret = SECRETS.encrypt(content).decode() if given else ""

    @property
    def origin(self) -> str:
        """The value of the import option `origin` for files of this connection."""
        return f"source {self.pk}"


def new_token() -> str:
    """Return a token for the push address of a connection."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class SourceRun(models.Model):
    """New content of a source, stored until it is imported."""

    class State(models.TextChoices):
        STORED = "stored", _("Waiting to be imported")
        WAITING = "waiting", _("Waiting for your approval")
        IMPORTED = "imported", _("Imported")
        UNCHANGED = "unchanged", _("Nothing new")
        REJECTED = "rejected", _("Rejected")
        FAILED = "failed", _("Failed")
        MERGED = "merged", _("Imported together with another run")
        SET_ASIDE = "set_aside", _("Skipped after errors")

    class Trigger(models.TextChoices):
        SCHEDULE = "schedule", _("Scheduled")
        PERSON = "person", _("Requested by a user")
        PUSH = "push", _("Sent by the source")

    OPEN = (State.STORED, State.WAITING)

    connection = models.ForeignKey(
        SourceConnection, on_delete=models.CASCADE, related_name="runs", verbose_name=_("source")
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.STORED)
    trigger = models.CharField(
        _("trigger"), max_length=10, choices=Trigger.choices, default=Trigger.SCHEDULE
    )
    is_preview = models.BooleanField(default=False)  # An administrator asked for a preview.
    is_approved = models.BooleanField(default=False)
    decided_by = models.ForeignKey(
        project.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        verbose_name=_("decided by"),
    )

    file_name = models.CharField(_("file"), max_length=255)
    content = models.BinaryField(null=True, blank=True)  # Encrypted; deleted when the run ends.
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(default=0)
    is_whole = models.BooleanField(default=False)  # The content lists all reviews of the source.
    deleted_ids = models.JSONField(default=list, blank=True)  # Of reviews deleted at the source.
    state_before = models.JSONField(default=dict, blank=True)  # The `fetch_state` of the poll.

    batch = models.OneToOneField(
        ImportBatch, null=True, blank=True, on_delete=models.SET_NULL, related_name="source_run"
    )
    # The confirmed shape of a push. Pushes of one shape are imported together.
    shape_key = models.CharField(max_length=64, blank=True, db_default="")
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="merged"
    )
    reasons = models.JSONField(default=list, blank=True)  # Sentences from `hold_reasons`.
    error = models.TextField(blank=True)
    rows = models.PositiveIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    hidden = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(_("received"), default=timezone.now)
    finished_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("source run")
        verbose_name_plural = _("source runs")
        indexes = [models.Index(fields=["connection", "state"], name="run_by_connection_state")]
        constraints = [
            models.CheckConstraint(
                name="run_keeps_content_until_its_end",
                condition=Q(content__isnull=False) | ~Q(state__in=["stored", "waiting"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.connection}, {self.created_at:%Y-%m-%d %H:%M}"

    def save_fields(self, **values: Any) -> None:
        for name, value in values.items():
            setattr(self, name, value)
        self.save(update_fields=list(values))
