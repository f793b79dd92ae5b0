"""Which reviews the list page shows: a filter a person fills in, and pages that stay put.

Pages are addressed by the review they continue from, so a review that arrives meanwhile shifts
nothing. Words are found as the search interface finds them, which goes on to older reviews alone.
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import django_filters
import orjson
from django import forms
from django.db.models import Q
from django.http import QueryDict

from reviews.models import Review, ReviewQuerySet
from reviews.search.fields import HIGHEST, LOWEST, NEWEST, OLDEST, Position
from reviews.search.parameters import Search
from reviews.search.result_cache import current_choices, search_reviews
from reviews.selectors import reviews_of
from reviews.sites import source_name
from reviews.stars import STARS
from reviews.ulids import ULID_PATTERN
from website.templatetags.marks import language_name

PAGE = 20
POSITION = re.compile(rf"(\d{{4}}-\d{{2}}-\d{{2}})\.({ULID_PATTERN})(?:\.([1-5]))?", re.ASCII)
RATINGS = [(str(n), "1 star" if n == 1 else f"{n} stars") for n in reversed(STARS)]
ORDERS = [
    (NEWEST, "Newest first"),
    (OLDEST, "Oldest first"),
    (HIGHEST, "Best first"),
    (LOWEST, "Worst first"),
]
SORTED_AT_FIRST = NEWEST
BY_STARS = frozenset({HIGHEST, LOWEST})
IN_ORDER = {value: label.lower() for value, label in ORDERS}

DAY: dict[str, Any] = {
    "widget": forms.DateInput({"type": "date"}),
    "input_formats": ["%Y-%m-%d"],
    "error_messages": {"invalid": "Write the day as YYYY-MM-DD."},
}
# Asked for here and found by the search, which knows how to page through them: see `found`.
SEARCHED = ("query", "source", "mentions_technician", "mentions_service", "language")
# Filters that are no choice where the reviews differ in nothing.
CHOICES = {"source": 2, "mentions_technician": 1, "mentions_service": 1, "language": 2}
# The form shows these at first, and the others on request.
FIRST = ("query", "rating", "sort")


def _unchanged(reviews: ReviewQuerySet, _name: str, _value: str) -> ReviewQuerySet:
    """All reviews: the search answers, or puts them in order."""
    return reviews


def _choice(
    label: str, empty: str | None, choices: Any, refusal: str, method: Any = _unchanged
) -> django_filters.ChoiceFilter:
    return django_filters.ChoiceFilter(
        method=method,
        choices=choices,
        empty_label=empty,
        label=label,
        error_messages={"invalid_choice": refusal},
    )


@dataclass(frozen=True, slots=True)
class SetFilter:
    name: str
    label: str
    value: str
    without: str  # The address of the list without it.


class ReviewFilter(django_filters.FilterSet):  # type: ignore[misc]  # It has no types.
    """The parameters mean what they mean in the search interface; spaces around words are cut off.

    A keyboard on glass adds one after each word.
    """

    query = django_filters.CharFilter(
        method=_unchanged,
        label="Words",
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "on time"}),
        error_messages={"max_length": "Search for at most 200 characters."},
    )
    rating = _choice("Rating", "Any rating", RATINGS, "Choose a rating from 1 to 5 stars.", None)
    sort = _choice("Order", None, ORDERS, "Choose one of the orders.")
    mentions_service = _choice(
        "Service", "Any service", lambda: current_choices().services, "Choose one of the services."
    )
    mentions_technician = _choice(
        "Person", "Anybody", lambda: current_choices().technicians, "Choose one of the people."
    )
    source = _choice(
        "Source",
        "Any source",
        lambda: [(source, source_name(source)) for source in current_choices().sources],
        "Choose one of the sources.",
    )
    language = _choice(
        "Language",
        "Any language",
        lambda: [(tag, language_name(tag)) for tag in current_choices().languages],
        "Choose one of the languages.",
    )
    since = django_filters.DateFilter("date", "gte", label="From", **DAY)
    until = django_filters.DateFilter("date", "lte", label="To", **DAY)

    class Meta:
        model = Review
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = current_choices()
        numbers = {
            "source": len(known.sources),
            "mentions_technician": len(known.technicians),
            "mentions_service": len(known.services),
            "language": len(known.languages),
        }
        for name, least in CHOICES.items():
            if numbers[name] < least and not self.data.get(name):
                del self.filters[name]  # Nothing to choose from.

    def set_filters(self) -> list["SetFilter"]:
        """The filters that are set, each with an address without it."""
        return [
            SetFilter(name, str(field.label), _in_words(field, str(value)), self.address(name))
            for name, field in self.form.fields.items()
            if name != "sort" and (value := self.data.get(name))
        ]

    def address(self, without: str = "") -> str:
        """The first page of the list, with all set filters but one."""
        others = {
            key: value
            for key in self.filters
            if key != without and (value := self.data.get(key)) is not None and value
        }
        return f"/reviews?{urlencode(others)}" if others else "/reviews"


def without_empty(parameters: QueryDict) -> QueryDict:
    """The parameters that a browser sends for the form, less those that change nothing."""
    kept = QueryDict(mutable=True)
    for name, values in parameters.lists():
        kept.setlist(name, [value for value in values if value.strip()])
    if kept.get("sort") == SORTED_AT_FIRST:
        del kept["sort"]
    return kept


def _in_words(field: forms.Field, value: str) -> str:
    choices = dict(getattr(field, "choices", ()))
    return str(choices.get(value, value))


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
    older = None
    if result["next_cursor"]:
        last = result["reviews"][-1]
        stars = f".{last['rating']}" if filters["sort"] in BY_STARS else ""
        older = f"{last['date']}.{last['id']}{stars}"
    return Listed(shown, older=older, matched=_matched(result))


def is_search(filters: Mapping[str, Any]) -> bool:
    """Whether the search answers, rather than the list of all reviews."""
    is_sorted = filters["sort"] not in {"", NEWEST}
    return is_sorted or any(filters.get(name) for name in SEARCHED)


def count(filters: Mapping[str, Any]) -> Matched:
    """How many reviews a search with the same filters finds."""
    return _matched(_search(filters))


def _search(filters: Mapping[str, Any], *, after: str = "") -> dict[str, Any]:
    sort = filters["sort"] or NEWEST
    search = Search(
        rating=int(filters["rating"]) if filters["rating"] else None,
        query=filters["query"],
        mentions_technician=filters.get("mentions_technician") or "",
        mentions_service=filters.get("mentions_service") or "",
        source=(filters["source"],) if filters.get("source") else (),
        language=filters.get("language") or "",
        since=filters["since"],
        until=filters["until"],
        sort=sort,
        limit=PAGE,
        cursor=_cursor(after, sort) if after else None,
    )
    result: dict[str, Any] = orjson.loads(search_reviews(search).body)
    return result


def _cursor(after: str, sort: str) -> Position:
    date, ulid, stars = _read_position(after)
    if (stars > 0) != (sort in BY_STARS):
        raise PositionError
    return Position(date, ulid, sort, stars)


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
    date, ulid, stars = _read_position(position)
    if stars:
        raise PositionError
    return date, ulid


def _read_position(position: str) -> tuple[dt.date, str, int]:
    """Day and id of the review that a page follows, and its stars.

    The stars are 0 except in an order by stars.
    """
    if not (match := POSITION.fullmatch(position)):
        raise PositionError
    try:
        return dt.date.fromisoformat(match[1]), match[2], int(match[3] or 0)
    except ValueError:
        raise PositionError from None
