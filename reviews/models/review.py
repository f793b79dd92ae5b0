"""The reviews, and what each one mentions."""

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
from reviews.languages import language_of
from reviews.models.business import public_form
from reviews.models.revision import Revised, RevisedQuerySet, without_revision
from reviews.published_json import EDITED, REDACTED, PublicForm, Publishable, published_json
from reviews.text_folding import fold_for_search
from reviews.timestamps import change_instant, first_change, publication_instants
from reviews.ulids import new_ulid
from reviews.validators import kebab_case

DERIVED_AT_ONCE = 1_000

# What the customer says, in queries; in Python see `Review.customer_text`. Words that the business
# rewrote are no customer's, and stars count as the source gives them. Whatever counts, analyses or
# quotes reviews takes these; `text` and `rating` only show the whole review with its mark.
CUSTOMER_TEXT = Case(
    When(alteration=EDITED, then=Value("")), default=F("text"), output_field=models.TextField()
)
CUSTOMER_RATING = Coalesce("source_rating", "rating")


def lock_rows(reviews: models.QuerySet["Review"], *, for_deletion: bool = False) -> None:
    """Lock these reviews for the transaction, also against new rows that refer to them.

    A change of several locks them at once, in this order, and before the change is counted, as
    all others do: else two wait for each other. Only an import takes them as its file has them, one
    portion after the other; so a change that meets it waits for its end without locks.
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
    except OperationalError:  # Another holds one of them.
        acquire_import_lock()
        take(nowait=False)


def lock_rows_for_key_share(ids: Collection[int]) -> set[int]:
    """Which of these reviews there are; none is deleted, but each may be changed, until the
    transaction ends."""
    if connection.vendor != "postgresql":
        return set(Review.objects.filter(pk__in=ids).values_list("pk", flat=True))
    with connection.cursor() as cursor:
        # As a foreign key does; Django has no name for so weak a lock.
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
    # The reason of an import, never one that a person chooses.
    ABSENT = "absent", "Absent from a complete file"


# Hidden by an import of a source whose new reviews wait for release, and by no person.
HELD = Q(
    hidden=True,
    hidden_by=None,
    hidden_reason=HiddenReason.OTHER,
    created_by_batch__isnull=False,
)


def trace_of_hiding(
    *, hidden: bool, reason: str = HiddenReason.OTHER, by: User | None = None
) -> dict[str, Any]:
    """The values that say when, why and by whom a review was hidden, or that it is shown again."""
    now = timezone.now()
    if hidden:
        return {"hidden_at": now, "hidden_reason": reason, "hidden_by": by}
    return {"hidden_at": None, "hidden_reason": None, "hidden_by": None}


class ReviewQuerySet(RevisedQuerySet["Review"]):
    def update(self, **kwargs: Any) -> int:
        """Change all alike, `bulk_update` too; what is published and searched follows."""
        if isinstance(kwargs.get("hidden"), bool):
            for name, value in trace_of_hiding(hidden=kwargs["hidden"]).items():
                kwargs.setdefault(name, value)
        if kwargs.get("hidden") is False:
            now = Value(change_instant(timezone.now()))
            shown = Case(When(hidden=True, then=now), default=F("modified_at"))
            kwargs = {"modified_at": shown} | kwargs
        if not kwargs.keys() & (Review.PUBLISHED_FIELDS | {"text_language"}):
            return super().update(**kwargs)
        with transaction.atomic():
            # Listed first: once changed, they may no longer match.
            ids = list(self.values_list("pk", flat=True))
            changed = super().update(**kwargs)
            at = change_instant(timezone.now())
            for start in range(0, len(ids), DERIVED_AT_ONCE):
                rows = list(Review.objects.filter(pk__in=ids[start : start + DERIVED_AT_ONCE]))
                form = public_form()
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
        """The texts that are their customers' own words."""
        return self.exclude(Q(text="") | Q(alteration=EDITED)).values_list("text", flat=True)

    def newest_first(self) -> Self:
        # The ULID breaks ties, so that equal dates keep one order everywhere.
        return self.order_by("-date", "-ulid")

    def bulk_create(self, objs: Iterable["Review"], *args: Any, **kwargs: Any) -> list["Review"]:
        rows = list(objs)
        form = public_form()
        for review in rows:
            review.derive(form)
        publish_now(rows)
        return super().bulk_create(rows, *args, **kwargs)


class Review(Revised):
    """One customer's review. Its public id is `ulid`, given once and kept by every later import."""

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
        _("day of the reply"),
        null=True,
        blank=True,
        help_text=_("Empty where the site does not tell the day."),
    )
    verified = models.BooleanField(_("verified"), default=False)
    hidden = models.BooleanField(
        _("hidden"),
        default=False,
        help_text=_("A hidden review appears in no public document, count or insight."),
    )
    # Null in a visible review. All may be null, so that SQLite adds them without a new table.
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
    # What an administrator did to the text or stars that a source gave; null for nothing.
    alteration = models.CharField(  # noqa: DJ001
        max_length=10,
        choices=[(EDITED, "Edited"), (REDACTED, "Redacted")],
        null=True,
        blank=True,
        editable=False,
    )
    # Stars that the source gives, of a review that the business edited; else null.
    source_rating = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    # Addresses of photos by the customer, https alone; null for none.
    photos = models.JSONField(null=True, blank=True)
    # Imports never bring its author back; null for no.
    is_author_forgotten = models.BooleanField(null=True, blank=True, editable=False)
    # Names that a file gave in columns of their own count as mentions, like those in the text.
    named_technicians = models.JSONField(default=list, blank=True, editable=False)
    named_services = models.JSONField(default=list, blank=True, editable=False)
    # An import keeps what an administrator edited by hand.
    edited_fields = models.JSONField(default=list, blank=True, editable=False)
    created_by_batch = models.ForeignKey(
        "imports.ImportBatch",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="created_reviews",
        verbose_name=_("came with the import"),
    )
    changed_by_batch = models.ForeignKey(
        "imports.ImportBatch",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="changed_reviews",
        verbose_name=_("last changed by the import"),
    )
    # When the source last changed it, as the source says; no older version replaces it.
    source_updated_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("here since"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("last changed"), default=timezone.now, editable=False)
    # When it appeared here, or a time of its day if that was long ago; see `reviews.timestamps`.
    published_at = models.DateTimeField(null=True, blank=True, editable=False)
    # When its published form last changed here: it appeared, was edited, answered or shown again.
    modified_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Derived when the row is written; see `derive`.
    has_reply = models.BooleanField(default=False, db_default=False, editable=False)
    # Primary tag of BCP 47; empty without a text, `und` where nothing tells.
    language = models.CharField(  # noqa: DJ001  (Null until the row is written next.)
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
            # With a condition, since SQLite else rebuilds the table and loses its triggers.
            models.UniqueConstraint(
                fields=["published_at"],
                condition=Q(published_at__isnull=False),
                name="review_published_at",
            ),
        ]
        permissions = [("hide_review", "Can hide and show reviews")]
        indexes = [
            # With all that searches filter by, so that few rows are read for a filter. SQLite reads
            # each row to count, unless the index has the column of its own condition.
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
            # For those who follow changes; few are hidden.
            models.Index(fields=["hidden_at"], condition=Q(hidden=True), name="review_hidden_at"),
        ]

    def __str__(self) -> str:
        return f"{self.rating}/5 by {self.author} on {self.date}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        stored = Review.objects.filter(pk=self.pk).values_list("fragment", "hidden").first()
        form = public_form()
        if stored is None:
            self.derive(form)
            publish_now([self])
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
        """Whether the business changed text or stars; a redaction is no such change."""
        return self.alteration == EDITED

    @property
    def customer_text(self) -> str:
        return "" if self.is_rewritten else self.text

    @property
    def customer_rating(self) -> int:
        return self.source_rating or self.rating

    @property
    def public_author(self) -> str:
        """The author's name as the public reads it."""
        return str(orjson.loads(self.fragment)["author"]) if self.fragment else self.author

    @property
    def public_photos(self) -> list[str]:
        """Addresses of photos that the public reads."""
        if not self.photos or not self.fragment:
            return []
        return list(orjson.loads(self.fragment).get("photos", ()))

    @property
    def is_from_source(self) -> bool:
        """Whether a source gave it, rather than a person who typed it in without its id there."""
        return bool(
            self.created_by_batch_id or self.changed_by_batch_id or self.external_id != self.ulid
        )

    def derive(self, form: PublicForm) -> None:
        """Bring folded text and published fragment up to date with the fields.

        A review without an id gets one.
        """
        self.ulid = self.ulid or new_ulid()
        if not self.is_rewritten:
            self.source_rating = None
        self.has_reply = bool(self.reply_text)
        self.language = language_of(self.text, self.text_language)
        self.text_folded = fold_for_search(self.text)
        self.fragment = published_json(self, form)
        if self.hidden != (self.hidden_at is not None):
            for name, value in trace_of_hiding(hidden=self.hidden).items():
                setattr(self, name, value)

    def derive_again(self, before: str | None, form: PublicForm, at: dt.datetime) -> None:
        """Derive, and note `at` as the time of a change to what was published as `before`."""
        self.derive(form)
        self.updated_at = timezone.now()
        if before != self.fragment:
            self.modified_at = at


def publish_now(reviews: Sequence[Review]) -> None:
    """Note that these reviews, which are not stored yet, appear here now."""
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
    """Store these fields of reviews that exist, by as few statements as the database allows."""
    without_revision(Review).bulk_create(
        reviews, update_conflicts=True, unique_fields=["id"], update_fields=fields
    )


class SourceName(Revised):
    """The name of a source that no table of sites has, as a person typed it."""

    MAX = 100

    source = models.CharField(max_length=50, primary_key=True)
    name = models.CharField(max_length=MAX)

    objects = RevisedQuerySet["SourceName"].as_manager()

    def __str__(self) -> str:
        return self.name


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
