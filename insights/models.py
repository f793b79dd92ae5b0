"""Models of taxonomies, findings, administrators' decisions, runs, and the dataset."""

import datetime as dt
import zlib
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from reviews.models import Review, Revised, RevisedQuerySet, Vertical

# --- Taxonomies -----------------------------------------------------------------------------------


class TaxonomyQuerySet(RevisedQuerySet["Taxonomy"]):
    def published(self) -> Self:
        return self.filter(version__isnull=False)

    def drafts(self) -> Self:
        return self.filter(version=None)

    def with_in_force(self) -> Self:
        """Annotate the version `in_force` in the vertical, None if there is none."""
        published = Taxonomy.objects.published().filter(vertical=models.OuterRef("vertical"))
        newest = published.order_by("-version").values("version")[:1]
        return self.annotate(in_force=models.Subquery(newest))


class Taxonomy(Revised):
    """An administrator's version of a vertical's terms for aspects, problems and topics.

    The highest version is in force; a vertical without one uses the built-in taxonomy. A vertical
    has at most one draft. Publishing gives the draft the next version.
    """

    vertical = models.CharField(_("kind of business"), max_length=20, choices=Vertical.choices)
    version = models.PositiveIntegerField(
        _("version"), null=True, blank=True, help_text=_("None: a draft.")
    )
    content = models.JSONField(help_text="As in the built-in taxonomies.")
    edited_at = models.DateTimeField(_("edited"), default=timezone.now)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        verbose_name=_("edited by"),
    )
    published_at = models.DateTimeField(_("published"), null=True, blank=True)

    objects = TaxonomyQuerySet.as_manager()

    class Meta:
        verbose_name = _("taxonomy")
        verbose_name_plural = _("taxonomies")
        ordering = ["vertical", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["vertical", "version"], name="taxonomy_version_once_per_vertical"
            ),
            models.UniqueConstraint(
                fields=["vertical"],
                condition=Q(version=None),
                name="taxonomy_one_draft_per_vertical",
            ),
            models.CheckConstraint(
                condition=Q(version__isnull=True, published_at__isnull=True)
                | Q(version__gte=1, published_at__isnull=False),
                name="taxonomy_published_with_a_version",
            ),
        ]

    def __str__(self) -> str:
        version_name = "draft" if self.version is None else f"version {self.version}"
        return f"{self.get_vertical_display()}, {version_name}"


# --- Reviews --------------------------------------------------------------------------------------


class Sentiment(models.TextChoices):
    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"


class ReviewAnalysis(models.Model):
    """Latest findings of a review; see `insights.selectors.due_reviews` for their expiry."""

    review = models.OneToOneField(
        Review,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="analysis",
        verbose_name=_("review"),
    )
    review_updated_at = models.DateTimeField(help_text="Of the review that was read.")
    text_sha256 = models.CharField(max_length=64)
    basis = models.CharField(
        max_length=32, help_text="Stands for the analyser, the taxonomy and the roster."
    )
    model = models.CharField(
        _("read by"), max_length=100, help_text=_("Name and version of the analyser.")
    )
    sentiment = models.CharField(_("sentiment"), max_length=8, choices=Sentiment.choices)
    score = models.SmallIntegerField(_("score"), help_text="Thousandths, from -1000 to 1000.")
    record = models.TextField(help_text="JSON; see insights.findings.")
    analysed_at = models.DateTimeField(_("read"), default=timezone.now)

    class Meta:
        verbose_name = _("review analysis")
        verbose_name_plural = _("review analyses")
        constraints = [
            models.CheckConstraint(
                condition=Q(score__gte=-1000, score__lte=1000), name="analysis_score_in_range"
            ),
            models.CheckConstraint(
                condition=Q(sentiment__in=Sentiment.values), name="analysis_sentiment_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sentiment} by {self.model}"


class Override(Revised):
    """An administrator's correction of a finding, which overrides every analyser.

    It applies to the text for which it was made, and is ignored after the text has changed.
    """

    class Value(models.TextChoices):
        POSITIVE = "positive"
        NEUTRAL = "neutral"
        NEGATIVE = "negative"
        PRESENT = "present"
        RESOLVED = "resolved"
        ABSENT = "absent"

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="overrides")
    path = models.CharField(
        max_length=120,
        help_text="sentiment, or what is corrected and its id: aspects.price, problems.no_show.",
    )
    value = models.CharField(max_length=8, choices=Value.choices)
    text_sha256 = models.CharField(max_length=64, help_text="Of the text it was made for.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    made_at = models.DateTimeField(default=timezone.now)

    objects = RevisedQuerySet["Override"].as_manager()

    class Meta:
        ordering = ["review", "path"]
        constraints = [
            models.UniqueConstraint(fields=["review", "path"], name="override_once_per_path"),
            models.CheckConstraint(
                condition=Q(path="sentiment", value__in=Sentiment.values)
                | Q(path__startswith="aspects.", value__in=[*Sentiment.values, "absent"])
                | Q(path__startswith="problems.", value__in=["present", "resolved", "absent"])
                | Q(path__startswith="topics.", value__in=["present", "absent"]),
                name="override_value_fits_path",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.path}: {self.value}"


# --- Runs -----------------------------------------------------------------------------------------


class AnalysisRun(models.Model):
    """An analysis of many reviews: its reason, progress and result."""

    class Reason(models.TextChoices):
        REVIEWS = "reviews", "New or changed reviews"
        BASIS = "basis", "Another taxonomy, roster or analyser"
        REQUESTED = "asked", "Asked for"

    reason = models.CharField(_("why"), max_length=8, choices=Reason.choices)
    basis = models.CharField(max_length=32)
    model = models.CharField(_("read by"), max_length=100)
    taxonomy = models.CharField(_("taxonomy"), max_length=60, help_text="Vertical and version.")
    total = models.PositiveIntegerField(_("reviews"))
    done = models.PositiveIntegerField(_("reviews read"), default=0)
    started_at = models.DateTimeField(_("began"), default=timezone.now)
    finished_at = models.DateTimeField(_("ended"), null=True, blank=True)
    error = models.TextField(_("problem"), blank=True)

    class Meta:
        verbose_name = _("analysis run")
        verbose_name_plural = _("analysis runs")
        ordering = ["-started_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["basis"],
                condition=Q(finished_at=None),
                name="run_once_at_a_time_per_basis",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.done} of {self.total} reviews, {self.get_reason_display().lower()}"


# --- Texts ----------------------------------------------------------------------------------------


class InsightText(Revised):
    """An administrator's decision to edit, pin or hide a published text.

    Texts without a row are automatic.
    """

    class Kind(models.TextChoices):
        SUMMARY = "summary", "Summary"
        PULL_QUOTE = "pull_quote", "Pull quote"
        FAQ = "faq", "Question and answer"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    slug = models.CharField(max_length=100, blank=True, help_text="Of a question; else empty.")
    question = models.CharField(max_length=300, blank=True)
    text = models.TextField(
        blank=True, help_text="The summary, the quote or the answer; empty: the automatic one."
    )
    locked = models.BooleanField(
        default=False, help_text="Published even when a review that it rests on is gone."
    )
    hidden = models.BooleanField(default=False, help_text="Nothing is published in its place.")
    pinned = models.BooleanField(default=False, help_text="A question: among the first.")
    evidence_ids = models.JSONField(default=list, blank=True, help_text="Ids of reviews.")
    edited_at = models.DateTimeField(default=timezone.now)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )

    objects = RevisedQuerySet["InsightText"].as_manager()

    class Meta:
        verbose_name = _("published text")
        verbose_name_plural = _("published texts")
        ordering = ["kind", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "slug"], name="insight_text_once"),
            models.CheckConstraint(
                condition=(Q(kind="faq") & ~Q(slug="")) | (~Q(kind="faq") & Q(slug="")),
                name="insight_text_slug_of_questions_alone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.slug}".strip()


# --- The dataset ----------------------------------------------------------------------------------


class Artifact(models.Model):
    """The dataset as last built, in a single row.

    `body` is its compressed JSON without `version` and `generated_at`.
    """

    THE_ONE = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=THE_ONE, editable=False)
    number = models.PositiveBigIntegerField(default=0, help_text="Counts the builds.")
    revision = models.PositiveBigIntegerField(default=0, help_text="Of the reviews it rests on.")
    basis = models.CharField(max_length=32, blank=True)
    shape = models.CharField(max_length=64, blank=True, help_text="Of the code that built it.")
    taxonomy_version = models.PositiveIntegerField(default=1)
    body = models.BinaryField(default=b"")
    texts = models.JSONField(
        default=dict,
        help_text="Summary, quote and questions as the numbers alone have them, and as published.",
    )
    months = models.JSONField(
        default=dict, help_text="By month, like 2026-03: reviews, scores and their squares, summed."
    )
    built_at = models.DateTimeField(null=True)
    claimed_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="artifact_is_one_row")]

    def __str__(self) -> str:
        return f"build {self.number} of revision {self.revision}"

    @property
    def json(self) -> bytes:
        return zlib.decompress(self.body) if self.body else b""


# --- A language model -----------------------------------------------------------------------------


class ChatAnswer(models.Model):
    """Answer of a language model; the key is a hash of the whole request."""

    MAX_AGE = dt.timedelta(days=90)  # Answers quote reviews, which may be deleted.

    key = models.CharField(max_length=64, primary_key=True)
    content = models.TextField()
    answered_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.key[:12]


class ChatDay(models.Model):
    """Use of a language model's budget on one day (UTC)."""

    day = models.DateField(_("day"), primary_key=True)
    reviews = models.PositiveIntegerField(
        _("reviews read by it"), default=0, help_text=_("Of this day.")
    )
    tokens = models.PositiveBigIntegerField(_("tokens used"), default=0)
    fallbacks = models.PositiveIntegerField(
        _("reviews read by the rules instead"),
        default=0,
        help_text=_("When the model did not answer."),
    )

    class Meta:
        verbose_name = _("use of the language model")
        verbose_name_plural = _("use of the language model")
        ordering = ["-day"]

    def __str__(self) -> str:
        return str(self.day)
