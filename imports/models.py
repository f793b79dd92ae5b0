"""Models of imports: batches, uploaded files, confirmed shapes and changes."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.claims import RELEASED
from core.secrets import Cipher
from review_exports.options import ReadChoices
from review_exports.shapes import Confirmation, Shape, merged

SECRETS = Cipher("imports")


@dataclass(frozen=True, kw_only=True)
class ImportOptions(ReadChoices):
    """All options of an import; stored on the batch as JSON."""

    time_zone: str = ""  # Empty for the zone of the business.
    verified: bool | None = None
    overwrite_edits: bool = False
    complete: bool = False  # Hide the reviews of the file's sources that the file lacks.
    hide_many: bool = False  # Even if these are more than 5 % or 20.
    # Name of a series of files; a complete file hides only reviews of its own series.
    origin: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "ImportOptions":
        """Load stored options, and ignore those that this version does not know."""
        known = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in stored.items() if name in known})


class ImportBatch(models.Model):
    """One import of one file, from upload to undo."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", _("Uploaded")
        READING = "reading", _("Being read")
        CONFIRMING = "confirming", _("Waiting for your answers")
        PREVIEWED = "previewed", _("Waiting for your decision")
        APPLYING = "applying", _("Being applied")
        APPLIED = "applied", _("Applied")
        REFUSED = "refused", _("Refused")
        CANCELLED = "cancelled", _("Cancelled")
        UNDOING = "undoing", _("Being undone")
        UNDONE = "undone", _("Undone")

    NOT_TRIED = {"tries": 0, "last_failure": None, **RELEASED}
    # States that wait for a worker or for the request itself.
    PENDING = (State.UPLOADED, State.READING, State.APPLYING, State.UNDOING)
    # States that wait for a person.
    OPEN = (State.CONFIRMING, State.PREVIEWED, State.REFUSED)

    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.UPLOADED
    )
    file_name = models.CharField(_("file"), max_length=255)
    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField(default=0)
    format = models.CharField(_("format"), max_length=40, blank=True)
    encoding = models.CharField(max_length=20, blank=True)
    options = models.JSONField(default=dict, blank=True)
    rows = models.PositiveIntegerField(default=0)
    rows_done = models.PositiveIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    errors = models.JSONField(default=list, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    preview = models.JSONField(default=dict, blank=True)
    refusal = models.TextField(blank=True)
    # Tries that have begun since the last one that ended with a result.
    tries = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    last_failure = models.TextField(null=True, blank=True, editable=False)  # noqa: DJ001
    # The worker that processes the batch, and the end of its claim. A time without a token: the
    # batch is not tried again before that time.
    claim_token = models.CharField(max_length=24, blank=True, db_default="", editable=False)
    claimed_until = models.DateTimeField(null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        verbose_name=_("uploaded by"),
    )
    created_at = models.DateTimeField(_("uploaded"), default=timezone.now)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("columns confirmed by"),
    )
    applied_at = models.DateTimeField(_("applied"), null=True, blank=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        db_table = "reviews_importbatch"

    def __str__(self) -> str:
        return self.file_name

    def clear_tries(self) -> None:
        """Reset the tries and the claim after a result; the caller saves the batch."""
        for name, value in self.NOT_TRIED.items():
            setattr(self, name, value)

    @property
    def chosen(self) -> ImportOptions:
        return ImportOptions.from_json(self.options)

    @property
    def good(self) -> int:
        """Rows that are reviews."""
        return self.new + self.changed + self.unchanged

    @property
    def rejected(self) -> int:
        return self.rows - self.good - self.skipped

    @property
    def hidden(self) -> int:
        """Number of reviews that a complete file hides since it lacks them."""
        return int(self.preview.get("hidden", 0))

    @property
    def touched(self) -> int:
        """Number of reviews that it creates, changes or hides."""
        return self.new + self.changed + self.hidden

    @property
    def asks_to_hide(self) -> bool:
        """Whether it would hide so many reviews that a person must agree."""
        return int(self.preview.get("missing", 0)) > self.hidden

    @property
    def asks_for_source(self) -> bool:
        """Whether a person must name the source of new reviews."""
        shape = self.preview.get("shape") or {"confirmation": {}}
        return bool(self.preview.get("sourceless")) and not shape["confirmation"].get("source")

    @property
    def requested_at(self) -> dt.datetime:
        """Time of the last request to process a pending batch."""
        return self.undone_at or self.applied_at or self.created_at


class ImportUpload(models.Model):
    """The encrypted content of an uploaded file, while its batch needs it."""

    batch = models.OneToOneField(ImportBatch, on_delete=models.CASCADE, primary_key=True)
    content = models.BinaryField()

    class Meta:
        db_table = "reviews_importupload"

    def __str__(self) -> str:
        return f"upload of {self.batch_id}"


class ConfirmedShape(models.Model):
    """A person's confirmation of a shape, by which later files of the shape are read.

    `confirmation` is a `review_exports.shapes.Confirmation` as JSON.
    """

    key = models.CharField(max_length=64, primary_key=True)
    confirmation = models.JSONField()
    file_name = models.CharField(_("first confirmed for"), max_length=255)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    confirmed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-confirmed_at", "key"]
        verbose_name = _("confirmed file layout")
        verbose_name_plural = _("confirmed file layouts")
        db_table = "reviews_confirmedshape"

    def __str__(self) -> str:
        return self.file_name

    @classmethod
    def store(cls, shape: Shape, batch: ImportBatch) -> None:
        """Store the confirmation by which a batch was read, for later files of the shape."""
        stored = cls.objects.filter(key=shape.key).first()
        confirmation = shape.confirmation
        if stored is not None:
            confirmation = merged(Confirmation.from_json(stored.confirmation), confirmation)
        row = stored or cls(key=shape.key, file_name=batch.file_name)
        row.confirmation = confirmation.as_json()
        row.confirmed_by, row.confirmed_at = batch.confirmed_by, timezone.now()
        row.save()


class ImportChange(models.Model):
    """Change of a stored review by an import, with the old and the new values."""

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="changes")
    review = models.ForeignKey(
        "reviews.Review", on_delete=models.CASCADE, related_name="import_changes"
    )
    row = models.PositiveIntegerField()
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        db_table = "reviews_importchange"
        constraints = [
            models.UniqueConstraint(fields=["batch", "review"], name="change_once_per_batch"),
        ]

    def __str__(self) -> str:
        return f"row {self.row} of {self.batch_id}"
