"""Example answers of the description, from an installation with three reviews of the demo.

Made by the code that makes the real ones, from the demo's reviews instead of rows.
"""

import datetime as dt
from collections.abc import Sequence
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from django.conf import settings

import demo
import feeds.json_feed
from feeds.items import feed_of
from insights.aggregate import Aggregate, Names
from insights.analysers import ReviewInput, RulesAnalyser
from insights.dataset import Composition
from insights.findings import AnalysedReview, Kind, ReviewFacts, findings_of
from insights.vocabulary import Vocabulary
from review_analysis.taxonomies import builtin
from reviews.documents import business_members, published_rating
from reviews.models import Business, Review, Service
from reviews.models.review import HiddenReason
from reviews.published_json import serialize_review
from reviews.search.fields import Position, cursor_text
from reviews.selectors import AggregateRating, Withheld
from reviews.stars import STARS, mean_rating
from reviews.timestamps import midnight

CHANGED_AT = dt.datetime.combine(demo.END, dt.time(18), dt.UTC)
SERVICES = {entry.slug: entry.label for entry in demo.SERVICES}
AREAS = {entry.slug: entry.name for entry in demo.AREAS}


@cache
def examples() -> dict[str, Any]:
    """An answer for each operation by its id; `{base_url}` stands for the public address."""
    chosen = _chosen()
    rows = [_row(review) for review in chosen]
    reviews = [serialize_review(row) for row in rows]
    business = Business(**demo.BUSINESS)
    stars = [review.rating for review in chosen]
    rating = AggregateRating(
        mean_rating(sum(stars), len(stars)),
        len(stars),
        {number: stars.count(number) for number in STARS},
    )
    head = {"version": 1, "generated_at": CHANGED_AT}
    answers = {
        "getReviews": {
            **head,
            "business": business_members(
                business, sorted(SERVICES.items()), sorted(AREAS.items()), no_review_withheld()
            ),
            "aggregate_rating": published_rating(rating),
            "reviews": reviews,
        },
        "getInsights": {**head, **_insights(chosen)},
        "getFeed": feeds.json_feed.document(
            feed_of(business, zip(rows, map(_services, chosen), strict=True))
        ),
        "searchReviews": {
            "matched": len(reviews),
            "returned": len(reviews),
            "reviews": reviews,
            "next_cursor": None,
        },
        "getReviewsSince": {
            "since": chosen[-1].date,
            "returned": len(reviews),
            "reviews": reviews,
        },
    }
    text = orjson.dumps(answers, option=orjson.OPT_UTC_Z).decode()
    found: dict[str, Any] = orjson.loads(text.replace(settings.BASE_URL, "{base_url}"))
    return found


def cursor() -> str:
    """The cursor that continues after the newest review of the examples."""
    newest = _chosen()[0]
    return cursor_text(Position(newest.date, newest.ulid))


def _chosen() -> list[demo.DemoReview]:
    """Newest first: one that names somebody, an answered complaint, one of stars alone."""
    newest = sorted(demo.showcase(), key=lambda review: (review.date, review.ulid), reverse=True)
    named = next(review for review in newest if review.rating == 5 and review.technicians)
    complaint = next(review for review in newest if review.rating <= 2 and review.reply_text)
    silent = next(review for review in newest if review.rating == 4 and not review.text)
    return [review for review in newest if review in (named, complaint, silent)]


def _insights(chosen: list[demo.DemoReview]) -> dict[str, Any]:
    """Of these reviews as they are published after an analysis."""
    roster = demo.roster(*demo.span())
    taxonomy = builtin(demo.BUSINESS["vertical"])
    aggregate = Aggregate(Names.on(taxonomy, roster))
    inputs = [ReviewInput(review.text, review.rating, review.date) for review in chosen]
    results = RulesAnalyser().analyse(inputs, taxonomy, roster)
    for review, (reading, model) in zip(chosen, results, strict=True):
        mentioned: dict[Kind, Sequence[str]] = {
            "technicians": review.technicians,
            "services": review.services,
            "areas": review.areas,
        }
        facts = (review.ulid, review.author, review.rating, review.date, review.text, model)
        findings = findings_of(reading, mentioned, review.text)
        aggregate.add(AnalysedReview.of(findings, ReviewFacts(*facts)))
    composition = Composition(aggregate, Vocabulary(), model, demo.BUSINESS["name"])
    members: dict[str, Any] = orjson.loads(composition.members())
    return members


def no_review_withheld() -> Withheld:
    return Withheld(0, dict.fromkeys(HiddenReason.values, 0))


def _row(review: demo.DemoReview) -> Review:
    """An unsaved row, which the real answers are made from."""
    members = ("ulid", "source", "author", "author_avatar_url", "rating", "date", "text")
    more = ("source_url", "reply_text", "reply_date", "verified")
    values = {name: getattr(review, name) for name in (*members, *more)}
    at = midnight(review.date, ZoneInfo(demo.BUSINESS["time_zone"]))
    return Review(**values, published_at=at, modified_at=at)


def _services(review: demo.DemoReview) -> tuple[Service, ...]:
    return tuple(Service(slug=slug, label=SERVICES[slug]) for slug in review.services)
