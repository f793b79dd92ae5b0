"""The reviews of one business, what they mention, how they were loaded, and their revision."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from ulid import ULID

from reviews.signals import reviews_changed
from reviews.text import fold
from reviews.validators import (
    check_country,
    check_hours,
    check_language,
    check_texts,
    check_time_zone,
    check_web_addresses,
)
from reviews.wire import fragment

kebab_case = RegexValidator(
    r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", "Use lower-case letters and digits joined by single hyphens."
)


def new_ulid() -> str:
    return str(ULID())


# --- Revision -------------------------------------------------------------------------------------


def announce_reviews_changed() -> None:
    reviews_changed.send_robust(sender=Revision)


class RevisionManager(models.Manager["Revision"]):
    def raise_reviews(self) -> None:
        """Count a change of the reviews, in the change's own transaction and once in each.

        The announcement waits for the commit. A pending one means that this transaction has
        already been counted; Django drops it together with a savepoint that is rolled back.
        """
        connection = transaction.get_connection()
        if any(function is announce_reviews_changed for _, function, _ in connection.run_on_commit):
            return
        with transaction.atomic():
            changes = {"number": models.F("number") + 1, "changed_at": timezone.now()}
            if not self.filter(name=Revision.REVIEWS).update(**changes):
                self.create(name=Revision.REVIEWS, number=1)
            transaction.on_commit(announce_reviews_changed, robust=True)

    def current(self, name: str) -> int:
        """How often the data called `name` has changed; 0 for never."""
        return self.filter(name=name).values_list("number", flat=True).first() or 0


class Revision(models.Model):
    """Counts the changes of the data, so that "has anything changed?" is one tiny query."""

    REVIEWS = "reviews"
    INSIGHTS = "insights"  # The reviews revision up to which insights have been computed.

    name = models.CharField(max_length=20, primary_key=True)
    number = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[RevisionManager] = RevisionManager()

    def __str__(self) -> str:
        return f"{self.name} {self.number}"


M = TypeVar("M", bound=models.Model)


def check_fields(row: models.Model, checks: Mapping[str, Callable[[Any], None]]) -> None:
    """Run a check on each named field; all that is wrong is raised at once."""
    errors = {}
    for name, check in checks.items():
        try:
            check(getattr(row, name))
        except ValidationError as error:
            errors[name] = error
    if errors:
        raise ValidationError(errors)


class RevisedQuerySet(models.QuerySet[M]):
    """Rows whose every change raises the revision, also when they change in bulk."""

    def update(self, **kwargs: Any) -> int:
        with transaction.atomic():
            changed = super().update(**kwargs)
            if changed:
                Revision.objects.raise_reviews()
        return changed

    def delete(self) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            deleted = super().delete()
            if deleted[0]:
                Revision.objects.raise_reviews()
        return deleted

    def bulk_create(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> list[M]:
        with transaction.atomic():
            created = super().bulk_create(objs, *args, **kwargs)
            if created:
                Revision.objects.raise_reviews()
        return created

    def bulk_update(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> int:
        with transaction.atomic():
            updated = super().bulk_update(objs, *args, **kwargs)
            if updated:
                Revision.objects.raise_reviews()
        return updated


class Revised(models.Model):
    """A row of the published data: saving or deleting it raises the revision."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            super().save(*args, **kwargs)
            Revision.objects.raise_reviews()

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            deleted = super().delete(*args, **kwargs)
            Revision.objects.raise_reviews()
        return deleted


# --- The business and its roster ------------------------------------------------------------------


class Vertical(models.TextChoices):
    HOME_SERVICES = "home_services", "Home services"
    CLINIC = "clinic", "Clinic"
    LAW_FIRM = "law_firm", "Law firm"
    RESTAURANT = "restaurant", "Restaurant"
    SENIOR_LIVING = "senior_living", "Senior living"
    GENERIC = "generic", "Other"


class Business(Revised):
    """The business whose reviews these are: one row, or none in a new installation."""

    THE_ONE = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=THE_ONE, editable=False)
    slug = models.CharField(max_length=100, validators=[kebab_case])
    name = models.CharField(max_length=200)
    legal_name = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    vertical = models.CharField(max_length=20, choices=Vertical.choices, default=Vertical.GENERIC)
    language = models.CharField(max_length=10, default="en", help_text="Like en or en-GB.")
    url = models.URLField(blank=True)
    logo_url = models.URLField(blank=True)
    same_as = models.JSONField(
        default=list, blank=True, help_text="Profiles elsewhere: a list of addresses."
    )
    phone = models.CharField(max_length=40, blank=True)
    email = models.EmailField(blank=True)
    street = models.CharField(max_length=200, blank=True)
    city = models.CharField(max_length=100, blank=True)
    region = models.CharField(max_length=100, blank=True)
    postal_code = models.CharField(max_length=20, blank=True)
    country = models.CharField(max_length=2, blank=True, help_text="Two letters, like US.")
    latitude = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(-90), MaxValueValidator(90)]
    )
    longitude = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(-180), MaxValueValidator(180)]
    )
    time_zone = models.CharField(
        max_length=50, default="UTC", help_text="IANA name, like America/Los_Angeles."
    )
    hours = models.JSONField(
        default=list,
        blank=True,
        help_text='A list like [{"day": "monday", "opens": "08:00", "closes": "17:00"}].',
    )
    license = models.CharField(max_length=200, blank=True)
    attribution = models.CharField(max_length=200, blank=True)

    objects = RevisedQuerySet["Business"].as_manager()

    class Meta:
        verbose_name_plural = "business"
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="business_is_one_row"),
            models.CheckConstraint(
                condition=Q(latitude__isnull=True, longitude__isnull=True)
                | Q(latitude__isnull=False, longitude__isnull=False),
                name="business_geo_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_fields(
            self,
            {
                "time_zone": check_time_zone,
                "language": check_language,
                "country": check_country,
                "same_as": check_web_addresses,
                "hours": check_hours,
            },
        )
        if (self.latitude is None) != (self.longitude is None):
            missing = "latitude" if self.latitude is None else "longitude"
            raise ValidationError({missing: f"Write the {missing} too, or neither of the two."})


class Technician(Revised):
    """A person whom reviews can name. A lower-case alias also matches lower-case text."""

    slug = models.CharField("id", max_length=100, unique=True, validators=[kebab_case])
    name = models.CharField(max_length=200)
    aliases = models.JSONField(
        default=list,
        blank=True,
        help_text="Other names, a list of texts. Capitalised ones match capitalised words alone.",
    )
    active_from = models.DateField(null=True, blank=True)
    active_to = models.DateField(null=True, blank=True)

    objects = RevisedQuerySet["Technician"].as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(
                condition=Q(active_from__isnull=True)
                | Q(active_to__isnull=True)
                | Q(active_from__lte=models.F("active_to")),
                name="technician_active_in_order",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_fields(self, {"aliases": check_texts})
        if self.active_from and self.active_to and self.active_to < self.active_from:
            raise ValidationError({"active_to": "The last day is before the first one."})


class Service(Revised):
    """Something the business does. Reviews mention it by its label or one of its keywords."""

    slug = models.CharField("id", max_length=100, unique=True, validators=[kebab_case])
    label = models.CharField(max_length=200)
    keywords = models.JSONField(
        default=list,
        blank=True,
        help_text="Phrases that mean it, a list of texts; a trailing * stands for any ending.",
    )

    objects = RevisedQuerySet["Service"].as_manager()

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.label

    def clean(self) -> None:
        check_fields(self, {"keywords": check_texts})


class ServiceArea(Revised):
    """A place the business serves."""

    slug = models.CharField("id", max_length=100, unique=True, validators=[kebab_case])
    name = models.CharField(max_length=200)
    aliases = models.JSONField(
        default=list, blank=True, help_text="Other names of the place, a list of texts."
    )

    objects = RevisedQuerySet["ServiceArea"].as_manager()

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_fields(self, {"aliases": check_texts})


# --- Imports --------------------------------------------------------------------------------------


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
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    created_at = models.DateTimeField(default=timezone.now)
    applied_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name_plural = "import batches"

    def __str__(self) -> str:
        return self.file_name


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


# --- Reviews --------------------------------------------------------------------------------------


def hold(reviews: models.QuerySet["Review"]) -> None:
    """Let nobody hang anything on these reviews, as long as the transaction lasts.

    Who deletes them would otherwise miss a mention or an analysis that comes between.
    """
    held = Review.objects.filter(pk__in=reviews.values("pk")).order_by("pk").select_for_update()
    for _ in held.values_list("pk").iterator():
        pass


class ReviewQuerySet(RevisedQuerySet["Review"]):
    def delete(self) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            hold(self)
            return super().delete()

    def visible(self) -> Self:
        return self.filter(hidden=False)

    def on_or_after(self, date: dt.date) -> Self:
        return self.filter(date__gte=date)

    def newest_first(self) -> Self:
        # The ULID breaks ties, so that equal dates keep one order everywhere.
        return self.order_by("-date", "-ulid")

    def bulk_create(self, objs: Iterable["Review"], *args: Any, **kwargs: Any) -> list["Review"]:
        rows = list(objs)
        for review in rows:
            review.derive()
        return super().bulk_create(rows, *args, **kwargs)


class Review(Revised):
    """One customer's review. Its public id is `ulid`, given once and kept by every later import."""

    ulid = models.CharField("id", max_length=26, unique=True, default=new_ulid, editable=False)
    source = models.CharField(max_length=50, validators=[kebab_case])
    external_id = models.CharField(max_length=255, help_text="Its id at the source.")
    external_id_is_synthetic = models.BooleanField(default=False)
    author = models.CharField(max_length=200, default="Anonymous")
    author_avatar_url = models.URLField(max_length=1000, blank=True)
    rating = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(5)]
    )
    date = models.DateField(help_text="Calendar day in the business's time zone.")
    text = models.TextField(blank=True, help_text="Empty for stars without words.")
    translated_text = models.TextField(blank=True)
    text_language = models.CharField(max_length=20, blank=True)
    source_url = models.URLField(max_length=1000, blank=True)
    reply_text = models.TextField(blank=True)
    reply_date = models.DateField(null=True, blank=True)
    verified = models.BooleanField(default=False)
    hidden = models.BooleanField(
        default=False, help_text="A hidden review appears in no public document, count or insight."
    )
    # Names that a file gave in columns of their own count as mentions, like those in the text.
    named_technicians = models.JSONField(default=list, blank=True, editable=False)
    named_services = models.JSONField(default=list, blank=True, editable=False)
    # An import keeps what an administrator edited by hand.
    edited_fields = models.JSONField(default=list, blank=True, editable=False)
    created_by_batch = models.ForeignKey(
        ImportBatch,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="created_reviews",
    )
    changed_by_batch = models.ForeignKey(
        ImportBatch,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="changed_reviews",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)
    # When its published form last changed after it was first loaded; the feeds tell it.
    modified_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Derived when the row is written; see `derive`.
    text_folded = models.TextField(blank=True, editable=False)
    fragment = models.TextField(editable=False)

    objects = ReviewQuerySet.as_manager()

    DERIVED_FIELDS = ("text_folded", "fragment", "updated_at", "modified_at")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "external_id"], name="review_merge_key"),
            models.CheckConstraint(
                condition=Q(rating__gte=1, rating__lte=5), name="review_rating_1_to_5"
            ),
            models.CheckConstraint(
                condition=Q(reply_text="", reply_date__isnull=True)
                | (~Q(reply_text="") & Q(reply_date__isnull=False)),
                name="review_reply_is_whole",
            ),
            models.CheckConstraint(condition=~Q(author=""), name="review_author_not_empty"),
            models.CheckConstraint(condition=~Q(source=""), name="review_source_not_empty"),
        ]
        indexes = [
            models.Index(
                fields=["-date", "-ulid"], condition=Q(hidden=False), name="review_newest"
            ),
            models.Index(
                fields=["rating", "-date", "-ulid"],
                condition=Q(hidden=False),
                name="review_rating_newest",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rating}/5 by {self.author} on {self.date}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        stored = Review.objects.filter(pk=self.pk).values_list("fragment", flat=True).first()
        self.derive()
        self.updated_at = timezone.now()
        if stored is not None and stored != self.fragment:
            self.modified_at = self.updated_at
        if (fields := kwargs.get("update_fields")) is not None:
            kwargs["update_fields"] = {*fields, *self.DERIVED_FIELDS}
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            hold(Review.objects.filter(pk=self.pk))
            return super().delete(*args, **kwargs)

    def clean(self) -> None:
        if self.reply_text and not self.reply_date:
            raise ValidationError({"reply_date": "Write the day of the reply."})
        if self.reply_date and not self.reply_text:
            raise ValidationError({"reply_text": "Write the reply, or remove its date."})

    def derive(self) -> None:
        """Bring the folded text and the published fragment up to date with the other fields."""
        self.text_folded = fold(self.text)
        self.fragment = fragment(self)


class Mention(models.Model):
    """A review names a technician, a service or a service area; `subject` is that entry's slug."""

    class Kind(models.TextChoices):
        TECHNICIAN = "technician"
        SERVICE = "service"
        AREA = "area"

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="mentions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    subject = models.CharField(max_length=100)

    objects = RevisedQuerySet["Mention"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject", "review"], name="mention_once_per_review"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class ImportChange(models.Model):
    """What an import changed on an earlier review: the values it replaced and its own."""

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="changes")
    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="import_changes")
    row = models.PositiveIntegerField()
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "review"], name="change_once_per_batch"),
        ]

    def __str__(self) -> str:
        return f"row {self.row} of {self.batch_id}"
