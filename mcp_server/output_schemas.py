"""Pure: the shapes of what the tools answer, in JSON Schema (2020-12)."""

from collections.abc import Mapping
from typing import Any

import insights.schemas
import reviews.schemas
from reviews.schemas import (
    COUNT,
    NULLABLE_STRING,
    STRING,
    URL,
    Schema,
    Schemas,
    described,
    list_of,
    record,
    ref,
)

MAX_MONTHS = 120
MAX_QUESTIONS = 50
MAX_THEMES = 100

SCHEMAS: Schemas = {**reviews.schemas.SCHEMAS, **insights.schemas.SCHEMAS}


def inlined(schema: Any) -> Any:
    """The schema with every reference replaced by what it refers to: not every client follows."""
    if isinstance(schema, Mapping):
        if "$ref" in schema:
            return inlined(SCHEMAS[schema["$ref"].rpartition("/")[2]])
        return {key: inlined(value) for key, value in schema.items()}
    return [inlined(item) for item in schema] if isinstance(schema, list | tuple) else schema


def with_examples(name: str, shape: str) -> Schema:
    return record(
        "What the reviews say of it, and reviews that show it.",
        {
            name: ref(shape),
            "review_count": COUNT | described("All reviews, whatever they mention."),
            "examples": list_of(ref("Review"), "The reviews of example_review_ids."),
        },
    )


BUSINESS_ANSWER = record(
    "The business and its rating.",
    {"business": ref("Business"), "aggregate_rating": ref("AggregateRating")},
)
REVIEW_ANSWER = record(
    "One review and the page that shows it.", {"review": ref("Review"), "url": URL}
)
TOPICS_ANSWER = record(
    "What the reviews talk and complain about.",
    {
        "review_count": COUNT,
        "topics": list_of(ref("InsightTopic"), "Most mentioned first.", maxItems=MAX_THEMES),
        "problems": list_of(ref("ProblemInsights"), "Most mentioned first.", maxItems=MAX_THEMES),
    },
)
TREND_ANSWER = record(
    "The reviews by month, and where the sentiment is going.",
    {
        "trend": ref("Trend") | described("Over the months asked for; else over the last ones."),
        "monthly": list_of(ref("Month"), "Oldest first.", maxItems=MAX_MONTHS),
    },
)
FAQ_ANSWER = record(
    "Questions that the reviews answer.",
    {
        "matched": COUNT,
        "faq": list_of(ref("Question"), maxItems=MAX_QUESTIONS),
    },
)
_DATASET = insights.schemas.INSIGHTS_DATASET["properties"]
SUMMARY_ANSWER = record(
    "The reviews at a glance.",
    {
        "business_name": STRING,
        "aggregate_rating": ref("AggregateRating"),
        "date_range": _DATASET["date_range"],
        "overall_sentiment": _DATASET["overall_sentiment"],
        "summary": NULLABLE_STRING | described("Editorial summary, if there is one."),
        "pull_quote": NULLABLE_STRING | described("One sentence from a review, verbatim."),
        "model": _DATASET["model"],
        "generated_at": _DATASET["generated_at"],
    },
)
