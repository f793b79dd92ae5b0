"""The insights dataset, and the answers of the MCP tools about it, as serializers describe them."""

from functools import partial
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from core.serializers import CountField, NumberField, RecordSerializer, Schema, SlugField
from insights.statistics import LABELS
from reviews.api.serializers import (
    AggregateRatingSerializer,
    GeneratedAtField,
    MeanStarsField,
    ReviewSerializer,
    ServiceSerializer,
    UlidField,
)
from reviews.ulids import ULID_PATTERN

MAX_MONTHS = 120
MAX_QUESTIONS = 50
MAX_THEMES = 100


LabelField = partial(serializers.ChoiceField, choices=list(LABELS))
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
    """Description of the keys, for which Django REST framework has no field."""

    target_class = ByReviewField

    def map_serializer_field(self, auto_schema: Any, direction: str) -> Schema:
        schema: Schema = auto_schema._map_serializer_field(  # noqa: SLF001  (As its manual shows.)
            self.target, direction, bypass_extensions=True
        )
        return schema | {"propertyNames": {"type": "string", "pattern": f"^{ULID_PATTERN}$"}}


# --- People, work, places and themes --------------------------------------------------------------


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


# --- Time -----------------------------------------------------------------------------------------


class MonthSerializer(RecordSerializer):
    """One calendar month; a month without reviews has nulls."""

    month = serializers.RegexField("^[0-9]{4}-[0-9]{2}$")
    review_count = CountField()
    average_rating = MeanStarsField()
    score = ScoreField(allow_null=True)
    positive_pct = PercentField(allow_null=True)


class TrendSerializer(RecordSerializer):
    """Where the sentiment of the last months is going."""

    direction = serializers.ChoiceField(
        choices=["improving", "stable", "declining", "insufficient_data"]
    )
    change = NumberField(allow_null=True, help_text="Points of score per year.")
    p_value = NumberField(min_value=0, max_value=1, allow_null=True)
    review_count = CountField()
    window_months = CountField()


class TemporalSerializer(RecordSerializer):
    """The reviews over time."""

    monthly = MonthSerializer(many=True, help_text="Oldest first.")
    trend = TrendSerializer()


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
    """Themes and problems that reviews mention."""

    review_count = CountField()
    topics = serializers.ListField(
        child=InsightTopicSerializer(), max_length=MAX_THEMES, help_text="Most mentioned first."
    )
    problems = serializers.ListField(
        child=ProblemInsightsSerializer(), max_length=MAX_THEMES, help_text="Most mentioned first."
    )


class TrendAnswerSerializer(RecordSerializer):
    """The reviews by month, and where the sentiment is going."""

    trend = TrendSerializer()
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
    summary = serializers.CharField(
        allow_null=True, help_text="Editorial summary, if there is one."
    )
    pull_quote = serializers.CharField(
        allow_null=True, help_text="One sentence from a review, verbatim."
    )
    model = serializers.CharField(help_text="Name and version of the analyser.")
    generated_at = GeneratedAtField()
