"""The shape of the insights dataset in JSON Schema (2020-12)."""

from insights.statistics import LABELS
from reviews.schemas import (
    COUNT,
    DATE,
    GENERATED_AT,
    MEAN_STARS,
    NULLABLE_STRING,
    SLUG,
    STRING,
    ULID,
    Schema,
    Schemas,
    described,
    list_of,
    record,
    ref,
)

LABEL: Schema = {"type": "string", "enum": list(LABELS)}
PERCENT: Schema = {"type": "number", "minimum": 0, "maximum": 100}
SCORE: Schema = {"type": "number", "minimum": -1, "maximum": 1}
TAXONOMY_ID: Schema = {"type": "string", "pattern": "^[a-z0-9]+([_-][a-z0-9]+)*$"}
EXAMPLES = list_of(ULID, "Reviews that show it.")

MENTIONS: Schemas = {
    "mention_count": COUNT | described("Reviews that mention it: the sum of the three counts."),
    "positive_count": COUNT,
    "neutral_count": COUNT,
    "negative_count": COUNT,
    "positive_pct": PERCENT | described("Positive mentions in percent of all mentions."),
    "score": SCORE | described("Mean sentiment of the mentions."),
}

ASPECT = record(
    "A quality that reviews judge.",
    {
        "id": TAXONOMY_ID,
        "label": STRING,
        **MENTIONS,
        "positive_low": PERCENT | described("Lower end of the 95 % interval of positive_pct."),
        "positive_high": PERCENT | described("Upper end of the 95 % interval of positive_pct."),
        "impact": {"type": "number"}
        | described("Mean stars of the reviews that mention it, less the mean of all."),
        "top_phrases": list_of(STRING),
        "example_review_ids": EXAMPLES,
    },
)

TECHNICIAN = record(
    "A person whom reviews mention.",
    {
        "id": SLUG,
        "name": STRING,
        **MENTIONS,
        "average_rating": MEAN_STARS,
        "top_aspects": list_of(TAXONOMY_ID),
        "example_review_ids": EXAMPLES,
        "sample_quote": NULLABLE_STRING | described("Verbatim from a review."),
    },
)

SERVICE = record(
    "A service that reviews mention.",
    {
        "id": SLUG,
        "label": STRING,
        **MENTIONS,
        "average_rating": MEAN_STARS,
        "example_review_ids": EXAMPLES,
        "sample_quote": NULLABLE_STRING | described("Verbatim from a review."),
    },
)

PROBLEM = record(
    "A complaint, and how often reviews tell that it was put right.",
    {
        "id": TAXONOMY_ID,
        "label": STRING,
        "mention_count": COUNT,
        "resolved_count": COUNT,
        "example_review_ids": EXAMPLES,
    },
)

SERVICE_AREA = record(
    "A place that reviews mention.",
    {
        "id": SLUG,
        "name": STRING,
        "mention_count": COUNT,
        "average_rating": MEAN_STARS,
        "example_review_ids": EXAMPLES,
    },
)

TOPIC = record(
    "A theme of talk.",
    {
        "id": TAXONOMY_ID,
        "label": STRING,
        "mention_count": COUNT,
        "share_pct": PERCENT | described("Reviews that mention it in percent of all reviews."),
        "score": SCORE,
        "keywords": list_of(STRING),
        "example_review_ids": EXAMPLES,
    },
)

MONTH = record(
    "One calendar month; a month without reviews has nulls.",
    {
        "month": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"},
        "review_count": COUNT,
        "average_rating": MEAN_STARS,
        "score": SCORE | {"type": ["number", "null"]},
        "positive_pct": PERCENT | {"type": ["number", "null"]},
    },
)

TREND = record(
    "Where the sentiment of the last months is going.",
    {
        "direction": {
            "type": "string",
            "enum": ["improving", "stable", "declining", "insufficient_data"],
        },
        "change": {"type": ["number", "null"]} | described("Points of score per year."),
        "p_value": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        "review_count": COUNT,
        "window_months": COUNT,
    },
)

REVIEW_SENTIMENT = record("The sentiment of one review.", {"score": SCORE, "label": LABEL})
REVIEW_ASPECT = record(
    "One aspect that a review judges.",
    {"id": TAXONOMY_ID, "label": LABEL, "score": SCORE, "phrase": STRING},
)

REVIEW_INSIGHTS = record(
    "What one review says; every count of the dataset follows from these.",
    {
        "sentiment": ref("ReviewSentiment"),
        "aspects": list_of(ref("ReviewAspect")),
        "technicians": list_of(SLUG),
        "services": list_of(SLUG),
        "problems": list_of(TAXONOMY_ID),
        "service_areas": list_of(SLUG),
        "topics": list_of(TAXONOMY_ID),
    },
)

QUESTION = record(
    "A question that the reviews answer.",
    {
        "question": STRING,
        "answer": STRING,
        "review_ids": list_of(ULID, "The evidence."),
    },
)

DATE_RANGE = record(
    "The days of the first and last review; null without any.",
    {
        "earliest": DATE | {"type": ["string", "null"]},
        "latest": DATE | {"type": ["string", "null"]},
    },
)
OVERALL_SENTIMENT = record(
    "The sentiment of all reviews; the percentages sum to 100.",
    {
        "score": SCORE,
        "positive_pct": PERCENT,
        "neutral_pct": PERCENT,
        "negative_pct": PERCENT,
    },
)
ENTITIES = record(
    "People, services, problems and areas that reviews mention, most mentioned first.",
    {
        "technicians": list_of(ref("TechnicianInsights")),
        "services": list_of(ref("ServiceInsights")),
        "problems": list_of(ref("ProblemInsights")),
        "service_areas": list_of(ref("ServiceAreaInsights")),
    },
)
TEMPORAL = record(
    "The reviews over time.",
    {"monthly": list_of(ref("Month"), "Oldest first."), "trend": ref("Trend")},
)

INSIGHTS_DATASET = record(
    "What the reviews say, in numbers, with the evidence for each of them.",
    {
        "version": {"type": "integer", "minimum": 1}
        | described("Rises when the words by which aspects are found are published anew."),
        "generated_at": GENERATED_AT,
        "model": STRING | described("Name and version of the analyser."),
        "review_count": COUNT,
        "date_range": ref("DateRange"),
        "overall_sentiment": ref("OverallSentiment"),
        "aspects": list_of(ref("Aspect"), "Most mentioned first."),
        "entities": ref("Entities"),
        "topics": list_of(ref("InsightTopic"), "Most mentioned first."),
        "temporal": ref("Temporal"),
        "per_review": {
            "type": "object",
            "description": "By review id: one entry for every review.",
            "propertyNames": ULID,
            "additionalProperties": ref("ReviewInsights"),
        },
        "faq": list_of(ref("Question")),
    },
    {
        "summary": STRING | described("Editorial summary."),
        "pull_quote": STRING | described("One sentence from a review, verbatim."),
    },
)

SCHEMAS: Schemas = {
    "InsightsDataset": INSIGHTS_DATASET,
    "DateRange": DATE_RANGE,
    "OverallSentiment": OVERALL_SENTIMENT,
    "Aspect": ASPECT,
    "Entities": ENTITIES,
    "TechnicianInsights": TECHNICIAN,
    "ServiceInsights": SERVICE,
    "ProblemInsights": PROBLEM,
    "ServiceAreaInsights": SERVICE_AREA,
    "InsightTopic": TOPIC,
    "Temporal": TEMPORAL,
    "Month": MONTH,
    "Trend": TREND,
    "ReviewInsights": REVIEW_INSIGHTS,
    "ReviewSentiment": REVIEW_SENTIMENT,
    "ReviewAspect": REVIEW_ASPECT,
    "Question": QUESTION,
}
