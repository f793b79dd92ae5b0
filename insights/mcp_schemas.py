"""JSON Schemas (2020-12) of the answers of the MCP tools about insights."""

from typing import Any

import insights.schemas
import reviews.schemas
from reviews import mcp as reviews_mcp
from reviews.schemas import (
    COUNT,
    NULLABLE_STRING,
    STRING,
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


def inlined(schema: Schema) -> Any:
    return reviews_mcp.inlined(schema, SCHEMAS)


def with_examples(name: str, shape: str) -> Any:
    """The schema of an entity with reviews that show it."""
    return inlined(
        record(
            "What the reviews say of it, and reviews that show it.",
            {
                name: ref(shape),
                "review_count": COUNT | described("All reviews, whatever they mention."),
                "examples": list_of(ref("Review"), "The reviews of example_review_ids."),
            },
        )
    )


TOPICS_ANSWER = inlined(
    record(
        "What the reviews talk and complain about.",
        {
            "review_count": COUNT,
            "topics": list_of(ref("InsightTopic"), "Most mentioned first.", maxItems=MAX_THEMES),
            "problems": list_of(
                ref("ProblemInsights"), "Most mentioned first.", maxItems=MAX_THEMES
            ),
        },
    )
)
TREND_ANSWER = inlined(
    record(
        "The reviews by month, and where the sentiment is going.",
        {
            "trend": ref("Trend")
            | described("Over the months asked for; else over the last ones."),
            "monthly": list_of(ref("Month"), "Oldest first.", maxItems=MAX_MONTHS),
        },
    )
)
FAQ_ANSWER = inlined(
    record(
        "Questions that the reviews answer.",
        {"matched": COUNT, "faq": list_of(ref("Question"), maxItems=MAX_QUESTIONS)},
    )
)
_DATASET = insights.schemas.INSIGHTS_DATASET["properties"]
SUMMARY_ANSWER = inlined(
    record(
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
)
