"""Serializers of the insights dataset and the answers of the MCP tools."""

from functools import partial
from typing import Any, get_args

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from core.serializers import CountField, NumberField, RecordSerializer, Schema, SlugField
from insights.statistics import LABELS, Direction
from reviews.api.serializers import (
    AggregateRatingSerializer,
    GeneratedAtField,
    MeanStarsField,
    ReviewSerializer,
    ServiceSerializer,
    UlidField,
)
from reviews.ulids import ULID_PATTERN

MONTH = "^[0-9]{4}-[0-9]{2}$"
MAX_MONTHS = 120
MAX_QUESTIONS = 50
MAX_THEMES = 100


LabelField = partial(serializers.ChoiceField, choices=list(LABELS))
DirectionField = partial(serializers.ChoiceField, choices=list(get_args(Direction)))
PercentField = partial(NumberField, min_value=0, max_value=100)
ScoreField = partial(NumberField, min_value=-1, max_value=1)
TaxonomyIdField = partial(serializers.RegexField, "^[a-z0-9]+([_-][a-z0-9]+)*$")


class ExamplesField(serializers.ListField):
    """Ids of reviews that show a figure."""

    child = UlidField()

    def __init__(self, **options: Any) -> None:
        super().__init__(help_text="Reviews that show it.", **options)


class ByReviewField(serializers.DictField):
    """Values by the ids of reviews."""


class ByReviewExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Describe the keys, which DRF's fields cannot."""

    target_class = ByReviewField

    def map_serializer_field(self, auto_schema: Any, direction: str) -> Schema:
        schema: Schema = auto_schema._map_serializer_field(  # noqa: SLF001  (As its manual shows.)
            self.target, direction, bypass_extensions=True
        )
        return schema | {"propertyNames": {"type": "string", "pattern": f"^{ULID_PATTERN}$"}}


# --- Subjects -------------------------------------------------------------------------------------


class LabelledSerializer(RecordSerializer):
    """An entry of the taxonomy."""

    id = TaxonomyIdField()
    label = serializers.CharField()  # type: ignore[assignment]  # A field's name.


class MentionsSerializer(RecordSerializer):
    """Mentions of a subject in numbers."""

    mention_count = CountField(
        help_text="Reviews that mention it: the sum of the three counts.",
    )
    positive_count = CountField()
    neutral_count = CountField()
    negative_count = CountField()
    positive_pct = PercentField(help_text="Positive mentions in percent of all mentions.")
    score = ScoreField(help_text="Mean sentiment of the mentions.")


class PhraseSerializer(RecordSerializer):
    """Words that several reviews repeat about an aspect."""

    text = serializers.CharField()
    label = LabelField(  # type: ignore[assignment]  # A field's name.
        help_text="Opinion that the words go with."
    )
    mention_count = CountField()


class QuoteSerializer(RecordSerializer):
    """A sentence of a review that judges an aspect."""

    text = serializers.CharField(help_text="Verbatim from the review.")
    label = serializers.ChoiceField(choices=("positive", "negative"))  # type: ignore[assignment]
    review_id = UlidField()


class AspectSerializer(LabelledSerializer, MentionsSerializer):
    """A quality that reviews judge."""

    unknown_count = CountField(
        help_text="Reviews that complain, or may, and are not known to mention it."
    )
    positive_low = PercentField(help_text="Lower end of the 95 % interval of positive_pct.")
    positive_high = PercentField(help_text="Upper end of the 95 % interval of positive_pct.")
    impact = NumberField(
        help_text="Mean stars of the reviews that mention it, less the mean of all."
    )
    top_phrases = serializers.ListField(child=serializers.CharField())
    phrases = PhraseSerializer(
        many=True, help_text="The top phrases with their opinions and numbers of reviews."
    )
    quotes = QuoteSerializer(
        many=True, help_text="Of praise and of blame a sentence, where one can stand alone."
    )
    example_review_ids = ExamplesField()


class NamedSerializer(RecordSerializer):
    """A subject of the roster."""

    id = SlugField()
    name = serializers.CharField()


class TechnicianInsightsSerializer(NamedSerializer, MentionsSerializer):
    """A person whom reviews mention."""

    average_rating = MeanStarsField()
    top_aspects = serializers.ListField(child=TaxonomyIdField())
    example_review_ids = ExamplesField()
    sample_quote = serializers.CharField(allow_null=True, help_text="Verbatim from a review.")


class ServiceInsightsSerializer(ServiceSerializer, MentionsSerializer):
    """A service that reviews mention."""

    average_rating = MeanStarsField()
    example_review_ids = ExamplesField()
    sample_quote = serializers.CharField(allow_null=True, help_text="Verbatim from a review.")


class ProblemInsightsSerializer(LabelledSerializer):
    """A complaint, and how often reviews tell that it was put right."""

    mention_count = CountField()
    resolved_count = CountField()
    example_review_ids = ExamplesField()


class ServiceAreaInsightsSerializer(NamedSerializer):
    """A place that reviews mention."""

    mention_count = CountField()
    average_rating = MeanStarsField()
    example_review_ids = ExamplesField()


class InsightTopicSerializer(LabelledSerializer):
    """A theme of talk."""

    mention_count = CountField()
    share_pct = PercentField(help_text="Reviews that mention it in percent of all reviews.")
    score = ScoreField()
    keywords = serializers.ListField(child=serializers.CharField())
    example_review_ids = ExamplesField()


class EntitiesSerializer(RecordSerializer):
    """People, services, problems and areas that reviews mention, most mentioned first."""

    technicians = TechnicianInsightsSerializer(many=True)
    services = ServiceInsightsSerializer(many=True)
    problems = ProblemInsightsSerializer(many=True)
    service_areas = ServiceAreaInsightsSerializer(many=True)


# --- Complaints -----------------------------------------------------------------------------------


class WordsSerializer(RecordSerializer):
    """A sentence of a review."""

    text = serializers.CharField(help_text="Verbatim from the review.")
    review_id = UlidField()


class ComplaintSerializer(LabelledSerializer):
    """One kind of complaint."""

    mention_count = CountField(help_text="At least so many reviews complain of it.")
    quote = WordsSerializer(allow_null=True)
    example_review_ids = ExamplesField()


class ComplaintsSerializer(RecordSerializer):
    """Complaints, and the unhappy reviews in which none was recognised."""

    unhappy_count = CountField(help_text="Reviews with one or two stars.")
    unhappy_pct = PercentField(help_text="Of all reviews.")
    recognised_count = CountField(help_text="Unhappy reviews in which a complaint was recognised.")
    unrecognised_count = CountField(help_text="Unhappy reviews in whose words none was recognised.")
    wordless_count = CountField(help_text="Unhappy reviews without words.")
    unrecognised_quotes = WordsSerializer(many=True, help_text="From those reviews.")
    complaining_count = CountField(
        help_text="Unhappy reviews, and others with a sentence that blames the business."
    )
    unnamed_count = CountField(help_text="Of these, reviews in which no complaint was recognised.")
    leading = TaxonomyIdField(
        allow_null=True,
        help_text="The complaint of most reviews, if the unrecognised ones could not overturn it.",
    )
    items = ComplaintSerializer(many=True, help_text="Those that most reviews tell first.")


# --- Time -----------------------------------------------------------------------------------------


class MonthSerializer(RecordSerializer):
    """One calendar month; a month without reviews has nulls."""

    month = serializers.RegexField(MONTH)
    review_count = CountField()
    average_rating = MeanStarsField()
    score = ScoreField(allow_null=True)
    positive_pct = PercentField(allow_null=True)


class ChangeSerializer(RecordSerializer):
    """A change between two periods, by a permutation test."""

    direction = DirectionField()
    p_value = NumberField(min_value=0, max_value=1, allow_null=True)


class TrendSerializer(ChangeSerializer):
    """Stars of the later half of some months, against the earlier."""

    change = NumberField(
        allow_null=True, help_text="Slope of the sentiment: points of score per year."
    )
    review_count = CountField()
    window_months = CountField()


class PeriodSerializer(RecordSerializer):
    """The reviews of twelve months."""

    to = serializers.RegexField(MONTH, allow_null=True)
    review_count = CountField()
    average_rating = MeanStarsField()
    unhappy_pct = PercentField(allow_null=True, help_text="Reviews with one or two stars.")

    def get_fields(self) -> dict[str, Any]:
        return {"from": serializers.RegexField(MONTH, allow_null=True), **super().get_fields()}


class ComplaintChangeSerializer(LabelledSerializer, ChangeSerializer):
    """A frequent complaint in both periods."""

    before_count = CountField(help_text="At least so many reviews.")
    latest_count = CountField(help_text="At least so many reviews.")


class PeriodsSerializer(RecordSerializer):
    """The last twelve months against the twelve before; `declining` is always for the worse."""

    before = PeriodSerializer()
    latest = PeriodSerializer()
    average_rating = ChangeSerializer()
    unhappy_pct = ChangeSerializer()
    complaints = ComplaintChangeSerializer(many=True)


class TemporalSerializer(RecordSerializer):
    """The reviews over time."""

    monthly = MonthSerializer(many=True, help_text="Oldest first.")
    trend = TrendSerializer()
    periods = PeriodsSerializer()


# --- The dataset ----------------------------------------------------------------------------------


class ReviewSentimentSerializer(RecordSerializer):
    """The sentiment of one review."""

    score = ScoreField()
    label = LabelField()  # type: ignore[assignment]  # A field's name.


class ReviewAspectSerializer(RecordSerializer):
    """One aspect that a review judges."""

    id = TaxonomyIdField()
    label = LabelField()  # type: ignore[assignment]  # A field's name.
    score = ScoreField()
    phrase = serializers.CharField()


class ReviewInsightsSerializer(RecordSerializer):
    """Findings of one review; every count of the dataset follows from these."""

    sentiment = ReviewSentimentSerializer()
    aspects = ReviewAspectSerializer(many=True)
    technicians = serializers.ListField(child=SlugField())
    services = serializers.ListField(child=SlugField())
    problems = serializers.ListField(child=TaxonomyIdField())
    service_areas = serializers.ListField(child=SlugField())
    topics = serializers.ListField(child=TaxonomyIdField())
    complaints = serializers.ListField(
        child=TaxonomyIdField(),
        help_text="Ids; without any `unrecognised`, `wordless` or, above two stars, `unnamed`.",
    )


class QuestionSerializer(RecordSerializer):
    """A question that the reviews answer."""

    question = serializers.CharField()
    answer = serializers.CharField()
    review_ids = serializers.ListField(child=UlidField(), help_text="The evidence.")


class DateRangeSerializer(RecordSerializer):
    """The days of the first and last review; null without any."""

    earliest = serializers.DateField(allow_null=True)
    latest = serializers.DateField(allow_null=True)


class OverallSentimentSerializer(RecordSerializer):
    """The sentiment of all reviews; the percentages sum to 100."""

    score = ScoreField()
    positive_pct = PercentField()
    neutral_pct = PercentField()
    negative_pct = PercentField()


class InsightsDatasetSerializer(RecordSerializer):
    """Figures about the reviews, with the evidence for each of them."""

    version = serializers.IntegerField(
        min_value=1,
        help_text="Rises when the words by which aspects are found are published again.",
    )
    generated_at = GeneratedAtField()
    model = serializers.CharField(help_text="Name and version of the analyser.")
    review_count = CountField()
    date_range = DateRangeSerializer()
    overall_sentiment = OverallSentimentSerializer()
    aspects = AspectSerializer(many=True, help_text="Most mentioned first.")
    entities = EntitiesSerializer()
    complaints = ComplaintsSerializer()
    topics = InsightTopicSerializer(many=True, help_text="Most mentioned first.")
    temporal = TemporalSerializer()
    per_review = ByReviewField(
        child=ReviewInsightsSerializer(), help_text="By review id: one entry for every review."
    )
    faq = QuestionSerializer(many=True)
    summary = serializers.CharField(required=False, help_text="Editorial summary.")
    pull_quote = serializers.CharField(
        required=False, help_text="One sentence from a review, verbatim."
    )


# --- Answers of the MCP tools ---------------------------------------------------------------------


class SubjectAnswerSerializer(RecordSerializer):
    """The figures of a subject, and reviews that show them."""

    review_count = CountField(help_text="All reviews, whatever they mention.")
    examples = ReviewSerializer(many=True, help_text="The reviews of example_review_ids.")


class AspectAnswerSerializer(SubjectAnswerSerializer):
    aspect = AspectSerializer()


class TechnicianAnswerSerializer(SubjectAnswerSerializer):
    technician = TechnicianInsightsSerializer()


class ServiceAnswerSerializer(SubjectAnswerSerializer):
    service = ServiceInsightsSerializer()


class TopicsAnswerSerializer(RecordSerializer):
    """Themes, complaints and problems that reviews mention."""

    review_count = CountField()
    complaints = ComplaintsSerializer()
    topics = serializers.ListField(
        child=InsightTopicSerializer(), max_length=MAX_THEMES, help_text="Most mentioned first."
    )
    problems = serializers.ListField(
        child=ProblemInsightsSerializer(), max_length=MAX_THEMES, help_text="Most mentioned first."
    )


class TrendAnswerSerializer(RecordSerializer):
    """The reviews by month, and what has changed."""

    trend = TrendSerializer()
    periods = PeriodsSerializer()
    monthly = serializers.ListField(
        child=MonthSerializer(), max_length=MAX_MONTHS, help_text="Oldest first."
    )


class FaqAnswerSerializer(RecordSerializer):
    """Questions that the reviews answer."""

    matched = CountField()
    faq = serializers.ListField(child=QuestionSerializer(), max_length=MAX_QUESTIONS)


class SummaryAnswerSerializer(RecordSerializer):
    """The reviews at a glance."""

    business_name = serializers.CharField()
    aggregate_rating = AggregateRatingSerializer()
    date_range = DateRangeSerializer()
    overall_sentiment = OverallSentimentSerializer()
    complaints = ComplaintsSerializer()
    periods = PeriodsSerializer()
    summary = serializers.CharField(
        allow_null=True, help_text="Editorial summary, if there is one."
    )
    pull_quote = serializers.CharField(
        allow_null=True, help_text="One sentence from a review, verbatim."
    )
    model = serializers.CharField(help_text="Name and version of the analyser.")
    generated_at = GeneratedAtField()
