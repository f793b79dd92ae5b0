"""What the tools answer: the checked values of a call in, an object as JSON text out.

Numbers come out of the published documents, so that an answer equals what the documents say. A
review's text is its author's: it appears as the value of a member, never inside a sentence of ours.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.conf import settings

import reviews.search.result_cache
from insights.dataset import trend_members
from insights.selectors import trend_over
from insights.statistics import Trend
from mcp_server import lookups
from mcp_server.jsonrpc import quote_for_message
from mcp_server.output_schemas import MAX_MONTHS, MAX_QUESTIONS, MAX_THEMES
from mcp_server.registry import ToolError
from publishing import contents
from review_analysis.text import fold
from reviews.search.parameters import Search
from reviews.selectors import fragments_of

Arguments = Mapping[str, Any]


def get_business(values: Arguments) -> str:
    head = contents.dataset_summary()
    return _text({name: head[name] for name in ("business", "aggregate_rating")})


def search_reviews(values: Arguments) -> str:
    lookups.refuse_unknown(values)
    # The very bytes of GET /api/reviews/search.
    return reviews.search.result_cache.search_reviews(Search(**values)).body.decode()


def get_review(values: Arguments) -> str:
    ulid = values["id"].upper()
    fragments = fragments_of([ulid])
    if not fragments:
        unknown = quote_for_message(values["id"])
        raise ToolError(
            f"There is no review with the id {unknown}. search_reviews gives the id of every "
            "review that it finds."
        )
    return _text({"review": orjson.Fragment(fragments[0]), "url": review_url(ulid)})


def review_url(ulid: str) -> str:
    return f"{settings.BASE_URL}/reviews/{ulid}"


def get_aspect_sentiment(values: Arguments) -> str:
    return _with_examples("aspect", lookups.aspect, values["aspect"])


def get_technician(values: Arguments) -> str:
    return _with_examples("technician", lookups.technician, values["name"])


def get_service(values: Arguments) -> str:
    return _with_examples("service", lookups.service, values["service"])


def _with_examples(kind: str, find: lookups.Find, name: str) -> str:
    known = contents.insights()
    row = find(known, name)
    fragments = fragments_of(row["example_review_ids"])
    return _text(
        {
            kind: row,
            "review_count": known["review_count"],
            "examples": [orjson.Fragment(fragment) for fragment in fragments],
        }
    )


def get_topics(values: Arguments) -> str:
    known = contents.insights()
    return _text(
        {
            "review_count": known["review_count"],
            "topics": known["topics"][:MAX_THEMES],
            "problems": known["entities"]["problems"][:MAX_THEMES],
        }
    )


def get_trend(values: Arguments) -> str:
    temporal = contents.insights()["temporal"]
    first = _month(values.get("since", dt.date.min))
    last = _month(values.get("until", dt.date.max))
    monthly = [month for month in temporal["monthly"] if first <= month["month"] <= last]
    quote_for_message = monthly[-MAX_MONTHS:]
    trend = (
        _trend_over([month["month"] for month in quote_for_message])
        if values
        else temporal["trend"]
    )
    return _text({"trend": trend, "monthly": quote_for_message})


def _trend_over(months: Sequence[str]) -> Mapping[str, Any]:
    """The trend of these months, each like 2026-03, in one row."""
    if not months:
        return trend_members(Trend("insufficient_data", None, None, 0), 0)
    return trend_members(trend_over(months[0], months[-1]), len(months))


def _month(day: dt.date) -> str:
    return day.isoformat()[:7]


def get_faq(values: Arguments) -> str:
    wanted = fold(values.get("query", ""))
    matching = [
        entry
        for entry in contents.insights()["faq"]
        if wanted in fold(f"{entry['question']}\n{entry['answer']}")
    ]
    return _text({"matched": len(matching), "faq": matching[:MAX_QUESTIONS]})


def get_summary(values: Arguments) -> str:
    known, head = contents.insights(), contents.dataset_summary()
    return _text(
        {
            "business_name": head["business"]["name"],
            "aggregate_rating": head["aggregate_rating"],
            "date_range": known["date_range"],
            "overall_sentiment": known["overall_sentiment"],
            "summary": known.get("summary"),
            "pull_quote": known.get("pull_quote"),
            "model": known["model"],
            "generated_at": known["generated_at"],
        }
    )


def _text(answer: Mapping[str, Any]) -> str:
    return orjson.dumps(answer).decode()
