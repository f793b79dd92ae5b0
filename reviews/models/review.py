"""Reviews and their mentions."""

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Self

import orjson
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import OperationalError, connection, models, transaction
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.db.transactions import acquire_import_lock
from review_analysis.text import fold_for_search
from reviews.languages import language_of
from reviews.models.business import public_form
from reviews.models.revision import Revised, RevisedQuerySet, without_revision
from reviews.published_json import EDITED, REDACTED, PublicForm, Publishable, published_json
from reviews.timestamps import change_instant, first_change, publication_instants
from reviews.ulids import new_ulid
from reviews.validators import kebab_case

CHUNK = 1_000  # Reviews whose derived fields are updated at once.

# The customer's own text and stars, in queries; in Python see `Review.customer_text`. Use these to
# count, analyse or quote reviews: `text` and `rating` include edits by the business.
CUSTOMER_TEXT = Case(
    When(alteration=EDITED, then=Value("")), default=F("text"), output_field=models.TextField()
)
CUSTOMER_RATING = Coalesce("source_rating", "rating")


def lock_rows(reviews: models.QuerySet["Review"], *, for_deletion: bool = False) -> None:
    """Lock reviews for the transaction, also against new rows that refer to them.

    To avoid deadlocks, lock all reviews of a change at once, before raising the revision. An import
    locks in the order of its file, so that any other change releases its locks and waits for the
    end of the import.
    """
    if not connection.features.has_select_for_update:
        return  # SQLite has one writer at a time.
    ids = Review.objects.filter(pk__in=reviews.values("pk")).order_by("pk").values_list("pk")

    def take(*, nowait: bool) -> None:
        for _row in ids.select_for_update(nowait=nowait, no_key=not for_deletion).iterator():
            pass

    try:
        with transaction.atomic():
            take(nowait=True)
    except OperationalError:  # Another transaction holds one of the locks.
        acquire_import_lock()
        take(nowait=False)


def lock_rows_for_key_share(ids: Collection[int]) -> set[int]:
    """Protect reviews from deletion until the transaction ends; return the keys that exist."""
    if connection.vendor != "postgresql":
        return set(Review.objects.filter(pk__in=ids).values_list("pk", flat=True))
    with connection.cursor() as cursor:
        # The lock of a foreign key, which Django does not offer.
        cursor.execute(
            "SELECT id FROM reviews_review WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE",
            [list(ids)],
        )
        return {pk for (pk,) in cursor.fetchall()}


class HiddenReason(models.TextChoices):
    """Why a review is withheld from the public."""

    SPAM = "spam", "Spam or fake"
    NOT_A_CUSTOMER = "not_a_customer", "Not a customer"
    PERSONAL_DATA = "personal_data", "Personal data"
    LEGAL_REQUEST = "legal_request", "Legal request"
    DUPLICATE = "duplicate", "Duplicate"
    OTHER = "other", "Another reason"
    # Set by imports alone.
    ABSENT = "absent", "Absent from a complete file"


# Hidden by an import from a source whose new reviews wait for release.
HELD = Q(
    hidden=True,
    hidden_by=None,
    hidden_reason=HiddenReason.OTHER,
    created_by_batch__isnull=False,
)


def hiding_fields(
    *, hidden: bool, reason: str = HiddenReason.OTHER, by: User | None = None
) -> dict[str, Any]:
    """Values of `Review.HIDING_FIELDS` for a review that is hidden or shown now."""
    if hidden:
        return {"hidden_at": timezone.now(), "hidden_reason": reason, "hidden_by": by}
    return dict.fromkeys(Review.HIDING_FIELDS)


class ReviewQuerySet(RevisedQuerySet["Review"]):
    def update(self, **kwargs: Any) -> int:
        """Update fields and derive the published and searched ones; `bulk_update` calls this."""
        if isinstance(kwargs.get("hidden"), bool):
            kwargs = hiding_fields(hidden=kwargs["hidden"]) | kwargs
        if kwargs.get("hidden") is False:
            now = Value(change_instant(timezone.now()))
            shown = Case(When(hidden=True, then=now), default=F("modified_at"))
            kwargs = {"modified_at": shown} | kwargs
        if not kwargs.keys() & (Review.PUBLISHED_FIELDS | {"text_language"}):
            return super().update(**kwargs)
        with transaction.atomic():
            # Listed first, since the updated rows may no longer match.
            ids = list(self.values_list("pk", flat=True))
            changed = super().update(**kwargs)
            at, form = change_instant(timezone.now()), public_form()
            for start in range(0, len(ids), CHUNK):
                rows = list(Review.objects.filter(pk__in=ids[start : start + CHUNK]))
                for review in rows:
                    review.derive_again(review.fragment, form, at)
                Review.objects.bulk_update(rows, Review.DERIVED_FIELDS)
        return changed

    def delete(self) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            lock_rows(self, for_deletion=True)
            return super().delete()

    def visible(self) -> Self:
        return self.filter(hidden=False)

    def customer_texts(self) -> "models.QuerySet[Review, str]":
        """Texts that the business has not rewritten."""
        return self.exclude(Q(text="") | Q(alteration=EDITED)).values_list("text", flat=True)

    def newest_first(self) -> Self:
        # The ULID breaks ties.
        return self.order_by("-date", "-ulid")

    def bulk_create(self, objs: Iterable["Review"], *args: Any, **kwargs: Any) -> list["Review"]:
        rows = list(objs)
        form = public_form()
        for review in rows:
            review.derive(form)
        set_publication_times(rows)
        return super().bulk_create(rows, *args, **kwargs)


class Review(Revised):
    """A customer's review. Its public id is `ulid`, which later imports keep."""

    ulid = models.CharField("id", max_length=26, unique=True, editable=False)
    source = models.CharField(_("site"), max_length=50, validators=[kebab_case])
    external_id = models.CharField(
        _("id at the site"), max_length=255, help_text=_("Its id at the source.")
    )
    external_id_is_synthetic = models.BooleanField(default=False)
    author = models.CharField(_("author"), max_length=200, default="Anonymous")
    author_avatar_url = models.URLField(max_length=1000, blank=True)
    rating = models.PositiveSmallIntegerField(
        _("stars"), validators=[MinValueValidator(1), MaxValueValidator(5)]
    )
    date = models.DateField(_("day"), help_text=_("Where the business is."))
    text = models.TextField(_("text"), blank=True, help_text=_("Empty for stars without words."))
    translated_text = models.TextField(blank=True)
    text_language = models.CharField(max_length=20, blank=True)
    source_url = models.URLField(_("link to the review"), max_length=1000, blank=True)
    reply_text = models.TextField(_("your reply"), blank=True)
    reply_date = models.DateField(
        _("date of the reply"),
        null=True,
        blank=True,
        help_text=_("Empty if the site does not give the date."),
    )
    verified = models.BooleanField(_("verified"), default=False)
    hidden = models.BooleanField(
        _("hidden"),
        default=False,
        help_text=_("A hidden review appears in no public document, count or insight."),
    )
    # Null in a visible review. Nullable, so that SQLite adds the columns without a new table.
    hidden_at = models.DateTimeField(null=True, blank=True, editable=False)
    hidden_reason = models.CharField(  # noqa: DJ001
        _("why it is hidden"),
        max_length=20,
        choices=HiddenReason,
        null=True,
        blank=True,
    )
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    # How an administrator altered the text or stars of the source; null if unaltered.
    alteration = models.CharField(  # noqa: DJ001
        max_length=10,
        choices=[(EDITED, "Edited"), (REDACTED, "Redacted")],
        null=True,
        blank=True,
        editable=False,
    )
    # Stars at the source of a review that the business edited; else null.
    source_rating = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    # The customer's photos, https addresses; null for none.
    photos = models.JSONField(null=True, blank=True)
    # Imports never restore the author; null means no.
    is_author_forgotten = models.BooleanField(null=True, blank=True, editable=False)
    # Names in columns of an imported file; they count as mentions.
    named_technicians = models.JSONField(default=list, blank=True, editable=False)
    named_services = models.JSONField(default=list, blank=True, editable=False)
    # Fields that an administrator edited; imports keep them.
    edited_fields = models.JSONField(default=list, blank=True, editable=False)
    created_by_batch = models.ForeignKey(
        "imports.ImportBatch",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="created_reviews",
        verbose_name=_("created by import"),
    )
    changed_by_batch = models.ForeignKey(
        "imports.ImportBatch",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="changed_reviews",
        verbose_name=_("last changed by import"),
    )
    # Time of the last change at the source; imports skip older versions.
    source_updated_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("added"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("last changed"), default=timezone.now, editable=False)
    # See `reviews.timestamps`.
    published_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Time of the last change of the published JSON; showing a hidden review counts as a change.
    modified_at = models.DateTimeField(null=True, blank=True, editable=False)
    # These are derived when the row is written; see `derive`.
    has_reply = models.BooleanField(default=False, db_default=False, editable=False)
    # Primary tag of BCP 47; empty without a text, `und` if undetermined.
    language = models.CharField(  # noqa: DJ001  (Rows of old releases have null.)
        max_length=8, null=True, blank=True, editable=False
    )
    text_folded = models.TextField(blank=True, editable=False)
    fragment = models.TextField(editable=False)

    objects = ReviewQuerySet.as_manager()

    PUBLISHED_FIELDS = frozenset(Publishable.__annotations__)
    HIDING_FIELDS = ("hidden_at", "hidden_reason", "hidden_by")
    DERIVED_FIELDS = (
        "source_rating",
        "has_reply",
        "language",
        "text_folded",
        "fragment",
        "updated_at",
        "modified_at",
        *HIDING_FIELDS,
    )

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        constraints = [
            models.UniqueConstraint(fields=["source", "external_id"], name="review_merge_key"),
            models.CheckConstraint(
                condition=Q(rating__gte=1, rating__lte=5), name="review_rating_1_to_5"
            ),
            models.CheckConstraint(
                condition=Q(reply_date__isnull=True) | ~Q(reply_text=""),
                name="review_reply_date_has_text",
            ),
            models.CheckConstraint(condition=~Q(author=""), name="review_author_not_empty"),
            models.CheckConstraint(condition=~Q(source=""), name="review_source_not_empty"),
            # SQLite adds a conditional constraint without rebuilding the table, which would drop
            # the table's triggers.
            models.UniqueConstraint(
                fields=["published_at"],
                condition=Q(published_at__isnull=False),
                name="review_published_at",
            ),
        ]
        permissions = [("hide_review", "Can hide and show reviews")]
        indexes = [
            # A covering index of the search filters. SQLite counts from the index alone only if it
            # includes the column of its condition.
            models.Index(
                fields=[
                    *("-date", "-ulid", "rating", "source_rating"),
                    *("source", "language", "has_reply", "modified_at", "hidden"),
                ],
                condition=Q(hidden=False),
                name="review_listed",
            ),
            models.Index(
                fields=["hidden_reason"], condition=Q(hidden=True), name="review_hidden_reason"
            ),
            models.Index(
                fields=["rating", "-date", "-ulid"],
                condition=Q(hidden=False),
                name="review_rating_newest",
            ),
            models.Index(fields=["modified_at"], name="review_modified_at"),
            # For `changed_since`; few reviews are hidden.
            models.Index(fields=["hidden_at"], condition=Q(hidden=True), name="review_hidden_at"),
        ]

    def __str__(self) -> str:
        return f"{self.rating}/5 by {self.author} on {self.date}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        stored = Review.objects.filter(pk=self.pk).values_list("fragment", "hidden").first()
        form = public_form()
        if stored is None:
            self.derive(form)
            set_publication_times([self])
        else:
            before, was_hidden = stored
            is_shown = was_hidden and not self.hidden
            self.derive_again(None if is_shown else before, form, change_instant(timezone.now()))
        if (fields := kwargs.get("update_fields")) is not None:
            kwargs["update_fields"] = {*fields, *self.DERIVED_FIELDS}
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            lock_rows(Review.objects.filter(pk=self.pk), for_deletion=True)
            return super().delete(*args, **kwargs)

    def clean(self) -> None:
        if self.reply_date and not self.reply_text:
            raise ValidationError({"reply_text": "Write the reply, or remove its date."})
        if self.reply_date and self.date and self.reply_date < self.date:
            raise ValidationError({"reply_date": "The reply is older than the review."})

    @property
    def is_rewritten(self) -> bool:
        """Whether the business changed text or stars; a redaction does not count."""
        return self.alteration == EDITED

    @property
    def is_held(self) -> bool:
        """Whether `HELD` applies."""
        is_by_import = self.hidden_by_id is None and self.created_by_batch_id is not None
        return self.hidden and is_by_import and self.hidden_reason == HiddenReason.OTHER

    @property
    def customer_text(self) -> str:
        return "" if self.is_rewritten else self.text

    @property
    def customer_rating(self) -> int:
        return self.source_rating or self.rating

    @property
    def public_author(self) -> str:
        """Published name of the author."""
        return str(orjson.loads(self.fragment)["author"]) if self.fragment else self.author

    @property
    def public_photos(self) -> list[str]:
        """Published addresses of photos."""
        if not self.photos or not self.fragment:
            return []
        return list(orjson.loads(self.fragment).get("photos", ()))

    @property
    def is_from_source(self) -> bool:
        """Whether a source gave the review; False if a person typed it in without an id."""
        return bool(
            self.created_by_batch_id or self.changed_by_batch_id or self.external_id != self.ulid
        )

    def derive(self, form: PublicForm) -> None:
        """Update the derived fields, and give a new review its id."""
        self.ulid = self.ulid or new_ulid()
        if not self.is_rewritten:
            self.source_rating = None
        self.has_reply = bool(self.reply_text)
        self.language = language_of(self.text, self.text_language)
        self.text_folded = fold_for_search(self.text)
        self.fragment = published_json(self, form)
        if self.hidden != (self.hidden_at is not None):
            for name, value in hiding_fields(hidden=self.hidden).items():
                setattr(self, name, value)

    def derive_again(self, before: str | None, form: PublicForm, at: dt.datetime) -> None:
        """Derive, and set `modified_at` to `at` if the fragment differs from `before`."""
        self.derive(form)
        self.updated_at = timezone.now()
        if before != self.fragment:
            self.modified_at = at


def set_publication_times(reviews: Sequence[Review]) -> None:
    """Set `published_at` and `modified_at` of reviews that are about to be stored."""
    now = timezone.now()
    at = change_instant(now)
    to_day = Review._meta.get_field("date").to_python
    days = {review.ulid: to_day(review.date) for review in reviews}
    oldest_first = sorted(reviews, key=lambda review: (days[review.ulid], review.ulid))
    instants = publication_instants([days[review.ulid] for review in oldest_first], now)
    for review, instant in zip(oldest_first, instants, strict=True):
        review.published_at = review.published_at or instant
        review.modified_at = review.modified_at or first_change(instant, at)


def overwrite(reviews: Iterable[Review], fields: Sequence[str]) -> None:
    """Update fields of existing reviews, by as few statements as the database allows."""
    without_revision(Review).bulk_create(
        reviews, update_conflicts=True, unique_fields=["id"], update_fields=fields
    )


class SourceName(Revised):
    """Name of a source as a person typed it, if the table of sites lacks the source."""

    MAX = 100

    source = models.CharField(max_length=50, primary_key=True)
    name = models.CharField(max_length=MAX)

    objects = RevisedQuerySet["SourceName"].as_manager()

    def __str__(self) -> str:
        return self.name


class Mention(models.Model):
    """Mention of a technician, service or service area in a review; `subject` is its slug."""

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
