"""Which reviews the list page shows: a filter a person fills in, and pages that stay put.

Pages are addressed by the review they continue from, so a review that arrives meanwhile shifts
nothing. Words are found as the search interface finds them, which goes on to older reviews alone.
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import django_filters
import orjson
from django import forms
from django.db.models import Q

from reviews.models import Review, ReviewQuerySet
from reviews.search.fields import Position
from reviews.search.parameters import Search
from reviews.search.result_cache import current_sources, search_reviews
from reviews.selectors import reviews_of
from reviews.stars import STARS
from reviews.ulids import ULID_PATTERN
from website.templatetags.marks import source_name

PAGE = 20
POSITION = re.compile(rf"(\d{{4}}-\d{{2}}-\d{{2}})\.({ULID_PATTERN})", re.ASCII)
RATINGS = [(str(n), "1 star" if n == 1 else f"{n} stars") for n in reversed(STARS)]

DAY: dict[str, Any] = {
    "widget": forms.DateInput({"type": "date"}),
    "input_formats": ["%Y-%m-%d"],
    "error_messages": {"invalid": "Write the day as YYYY-MM-DD."},
}


class ReviewFilter(django_filters.FilterSet):  # type: ignore[misc]  # It has no types.
    """The parameters mean what they mean in the search interface; spaces around words are cut off.

    A keyboard on glass adds one after each word.
    """

    rating = django_filters.ChoiceFilter(
        choices=RATINGS,
        empty_label="Any rating",
        label="Rating",
        error_messages={"invalid_choice": "Choose a rating from 1 to 5 stars."},
    )
    # Asked for here and found by the search: see `found`.
    query = django_filters.CharFilter(
        label="Words",
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "on time"}),
        error_messages={"max_length": "Search for at most 200 characters."},
    )

    # Found by the search as well, which knows how to page through one source.
    source = django_filters.ChoiceFilter(
        choices=lambda: [(source, source_name(source)) for source in current_sources()],
        empty_label="Any source",
        label="Source",
        error_messages={"invalid_choice": "Choose one of the sources."},
    )
    since = django_filters.DateFilter("date", "gte", label="From", **DAY)
    until = django_filters.DateFilter("date", "lte", label="To", **DAY)

    class Meta:
        model = Review
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(current_sources()) < 2 and not self.data.get("source"):
            del self.filters["source"]  # Nothing to choose from.


class PositionError(Exception):
    """The address continues from a place that no page links to."""


@dataclass(frozen=True, slots=True)
class Matched:
    """How many reviews a filter leaves, or how many at least."""

    number: int
    is_lower_bound: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of the list."""

    reviews: Sequence[Review] = ()
    newer: str | None = None  # Where the neighbouring pages continue from, if there are any.
    older: str | None = None
    matched: Matched | None = None  # On all pages together, where a filter is set.


def page(reviews: ReviewQuerySet, *, after: str = "", before: str = "") -> Listed:
    """The page of `reviews` that follows `after`, or else precedes `before`; the newest without."""
    if before and not after:
        return _page_before(reviews, *_parse(before))
    older_than = _parse(after) if after else None
    if older_than:
        date, ulid = older_than
        reviews = reviews.filter(Q(date__lt=date) | Q(ulid__lt=ulid), date__lte=date)
    rows = list(reviews.newest_first()[: PAGE + 1])
    shown = rows[:PAGE]
    return Listed(
        reviews=shown,
        newer=_position(shown[0]) if shown and older_than else None,
        older=_position(shown[-1]) if len(rows) > PAGE else None,
    )


def found(filters: Mapping[str, Any], *, after: str = "") -> Listed:
    """The page of reviews that a search with the same filters finds."""
    result = _search(filters, after=after)
    shown = reviews_of([review["id"] for review in result["reviews"]])
    last = result["reviews"][-1] if result["next_cursor"] else None
    older = f"{last['date']}.{last['id']}" if last else None
    return Listed(shown, older=older, matched=_matched(result))


def count(filters: Mapping[str, Any]) -> Matched:
    """How many reviews a search with the same filters finds."""
    return _matched(_search(filters))


def _search(filters: Mapping[str, Any], *, after: str = "") -> dict[str, Any]:
    search = Search(
        rating=int(filters["rating"]) if filters["rating"] else None,
        query=filters["query"],
        source=(filters["source"],) if filters.get("source") else (),
        since=filters["since"],
        until=filters["until"],
        limit=PAGE,
        cursor=Position(*_parse(after)) if after else None,
    )
    result: dict[str, Any] = orjson.loads(search_reviews(search).body)
    return result


def _matched(result: Mapping[str, Any]) -> Matched:
    return Matched(result["matched"], "matched_is_lower_bound" in result)


def _page_before(reviews: ReviewQuerySet, date: dt.date, ulid: str) -> Listed:
    newer = reviews.filter(Q(date__gt=date) | Q(ulid__gt=ulid), date__gte=date)
    rows = list(newer.order_by("date", "ulid")[: PAGE + 1])
    shown = rows[:PAGE][::-1]
    return Listed(
        reviews=shown,
        newer=_position(shown[0]) if len(rows) > PAGE else None,
        older=_position(shown[-1]) if shown else None,
    )


def _position(review: Review) -> str:
    return f"{review.date}.{review.ulid}"


def _parse(position: str) -> tuple[dt.date, str]:
    if not (match := POSITION.fullmatch(position)):
        raise PositionError
    try:
        return dt.date.fromisoformat(match[1]), match[2]
    except ValueError:
        raise PositionError from None
