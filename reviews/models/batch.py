"""The imports: each batch, its file while it is needed, and what it changed."""

import datetime as dt

from django.conf import settings
from django.db import connection, models, transaction
from django.utils import timezone

IMPORT_LOCK = 0x72657669657773  # "reviews"


def acquire_import_lock() -> None:
    """Wait until no other import is at work, and let none begin before the transaction ends.

    Two could create the same new review. SQLite has one writer anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])


def is_import_running() -> bool:
    """Whether another connection has an import at work."""
    if connection.vendor != "postgresql":
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [IMPORT_LOCK])
        return not cursor.fetchone()[0]


class ImportBatch(models.Model):
    """One import of one file: what was recognised, what would change or did, and who asked."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", "Uploaded"
        READING = "reading", "Being read"
        PREVIEWED = "previewed", "Waiting for your decision"
        APPLYING = "applying", "Being applied"
        APPLIED = "applied", "Applied"
        REFUSED = "refused", "Refused"
        CANCELLED = "cancelled", "Cancelled"
        UNDOING = "undoing", "Being undone"
        UNDONE = "undone", "Undone"

    NOT_TRIED = {"tries": 0, "tried_at": None, "last_failure": None}
    # Until somebody does what was asked for: a worker, or the request itself.
    AT_WORK = (State.UPLOADED, State.READING, State.APPLYING, State.UNDOING)

    state = models.CharField(max_length=10, choices=State.choices, default=State.UPLOADED)
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField(default=0)
    format = models.CharField(max_length=40, blank=True)
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
    # Tries to read it or to apply it that have begun since the last one that ended with a result.
    tries = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    tried_at = models.DateTimeField(null=True, blank=True, editable=False)  # Null: no try goes on.
    last_failure = models.TextField(null=True, blank=True, editable=False)  # noqa: DJ001
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    created_at = models.DateTimeField(default=timezone.now)
    applied_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name = "import"

    def __str__(self) -> str:
        return self.file_name

    @property
    def good(self) -> int:
        """Rows that are reviews, whether they change anything or not."""
        return self.new + self.changed + self.unchanged

    @property
    def rejected(self) -> int:
        return self.rows - self.good - self.skipped

    @property
    def hidden(self) -> int:
        """Reviews that a complete file lacks, and that it therefore hides."""
        return int(self.preview.get("hidden", 0))

    @property
    def touched(self) -> int:
        """How many reviews it has created, changed or hidden."""
        return self.new + self.changed + self.hidden

    @property
    def asks_to_hide(self) -> bool:
        """Whether it would hide so many that this needs a second yes."""
        return int(self.preview.get("missing", 0)) > self.hidden

    @property
    def asks_for_source(self) -> bool:
        """Whether nothing says where its new reviews are from."""
        return bool(self.preview.get("sourceless")) and not self.options.get("source")

    @property
    def requested_at(self) -> dt.datetime:
        """When a batch at work was last asked for something."""
        return self.undone_at or self.applied_at or self.created_at


class ImportUpload(models.Model):
    """The bytes of an uploaded file, kept only while its batch can still use them."""

    batch = models.OneToOneField(ImportBatch, on_delete=models.CASCADE, primary_key=True)
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"upload of {self.batch_id}"


class ColumnMapping(models.Model):
    """Which columns of a spreadsheet mean which fields, remembered by the spreadsheet's heading."""

    signature = models.CharField(max_length=64, primary_key=True)
    columns = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.signature


class ImportAnswer(models.Model):
    """A person's answer to a question that files leave open; later imports use it."""

    class Kind(models.TextChoices):
        PLACE = "place", "Place"
        STATUS = "status", "Status"
        PUBLICATION = "publication", "Column about publication"

    class Answer(models.TextChoices):
        OURS = "ours", "is ours"
        OTHER = "other", "is another business's"
        PUBLIC = "public", "is public"
        HIDDEN = "hidden", "is not public"
        PUBLISHED = "published", "yes means that it may be published"
        WITHHELD = "withheld", "yes means that it must not be published"
        IGNORE = "ignore", "says nothing about publication"

    SUBJECT_MAX = 250

    kind = models.CharField(max_length=12, choices=Kind.choices)
    subject = models.CharField(max_length=SUBJECT_MAX)
    answer = models.CharField(max_length=12, choices=Answer.choices)
    answered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["kind", "subject"]
        verbose_name = "answer for imports"
        verbose_name_plural = "answers for imports"
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject"], name="answer_once_per_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.subject} {self.get_answer_display()}"


class ImportChange(models.Model):
    """Change of an earlier review by an import: the values it replaced and its own."""

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="changes")
    review = models.ForeignKey(
        "reviews.Review", on_delete=models.CASCADE, related_name="import_changes"
    )
    row = models.PositiveIntegerField()
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "review"], name="change_once_per_batch"),
        ]

    def __str__(self) -> str:
        return f"row {self.row} of {self.batch_id}"
