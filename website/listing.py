"""Filters and pages of the list of reviews.

A page's URL names the review before it, so that new reviews do not shift pages. The search
interface finds the reviews.
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import orjson
from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from reviews.current import current_choices
from reviews.models import Review
from reviews.search.fields import NEWEST, OLDEST, Position
from reviews.search.query import BY_STARS, ORDER_LABELS, ChoiceFilter, ReviewFilter, search_reviews
from reviews.selectors import reviews_of
from reviews.ulids import ULID_PATTERN

PAGE = 20
POSITION = re.compile(rf"(\d{{4}}-\d{{2}}-\d{{2}})\.({ULID_PATTERN})(?:\.([1-5]))?", re.ASCII)
DEFAULT_SORT = NEWEST
# The form shows these fields, and the rest on request.
FIRST_FIELDS = ("query", "rating", "sort")
FIELDS = (
    *FIRST_FIELDS,
    *("mentions_service", "mentions_technician", "source", "language", "since", "until"),
)
# Filters that count against the rate limit of the search interface.
SEARCHED = ("query", "source", "mentions_technician", "mentions_service", "language")


@dataclass(frozen=True, slots=True)
class SetFilter:
    name: str
    label: str
    value: str
    without: str  # The list's URL without this filter.


class ListFilter(ReviewFilter):
    """Form of the search filters.

    Spaces around words are stripped, since phone keyboards add one after each word.
    """

    sort = ChoiceFilter(_("Order"), None, ORDER_LABELS, _("Choose one of the sort orders."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = current_choices()
        has_choice = {
            "source": len(known.sources) > 1,
            "mentions_technician": bool(known.technicians),
            "mentions_service": bool(known.services),
            "language": len(known.languages) > 1,
        }
        filters: dict[str, Any] = vars(self)["filters"]
        self.filters = {
            name: filters[name]
            for name in FIELDS
            if has_choice.get(name, True) or self.data.get(name)
        }

    def set_filters(self) -> list[SetFilter]:
        return [
            SetFilter(name, str(field.label), _label(field, str(value)), self.address(name))
            for name, field in self.form.fields.items()
            if name != "sort" and (value := self.data.get(name))
        ]

    def address(self, without: str = "") -> str:
        """Return the first page's URL with all set filters but one."""
        others = {
            key: value for key in self.filters if key != without and (value := self.data.get(key))
        }
        return f"/reviews?{urlencode(others)}" if others else "/reviews"


def order_label(sort: str) -> str:
    """Return the name of an order within a sentence, like "newest first"."""
    labels = dict(ORDER_LABELS)
    return str(labels.get(sort, labels[DEFAULT_SORT])).lower()


def without_empty(parameters: QueryDict) -> QueryDict:
    """Remove parameters that change nothing; browsers send one for every field."""
    kept = QueryDict(mutable=True)
    for name, values in parameters.lists():
        kept.setlist(name, [value for value in values if value.strip()])
    if kept.get("sort") == DEFAULT_SORT:
        del kept["sort"]
    return kept


def _label(field: forms.Field, value: str) -> str:
    choices = {str(key): label for key, label in getattr(field, "choices", ())}
    return str(choices.get(value, value))


class PositionError(Exception):
    """A page's URL names no valid position."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of the list. `newer` and `older` are the positions of the neighbouring pages."""

    reviews: Sequence[Review] = ()
    newer: str | None = None
    older: str | None = None
    matched: int | None = None  # Number of all matching reviews, if a filter is set.
    is_lower_bound: bool = False  # More reviews than `matched` may match.


def is_search(filters: Mapping[str, Any]) -> bool:
    """Whether these filters count against the rate limit of the search interface."""
    return filters.get("sort") not in {None, "", DEFAULT_SORT} or any(map(filters.get, SEARCHED))


def list_page(filters: Mapping[str, Any], *, after: str = "", before: str = "") -> ListPage:
    """Load the first page, or the one after or before a position; raises PositionError."""
    sort = filters.get("sort") or DEFAULT_SORT
    is_back = bool(before and not after)
    if is_back and is_search(filters):
        raise PositionError
    position = _parse_position(after or before, sort) if after or before else None
    if is_back and position:  # Search in reverse for the oldest of the newer reviews.
        sort, position = OLDEST, position._replace(sort=OLDEST)
    search = {name: value for name, value in filters.items() if value}
    if "source" in search:
        search["source"] = (search["source"],)
    if position:
        search["cursor"] = position
    search |= {"sort": sort, "limit": PAGE}
    result: dict[str, Any] = orjson.loads(search_reviews(search).body)
    found, has_more = result["reviews"], result["next_cursor"] is not None
    if is_back:
        found.reverse()
    shows_newer = has_more if is_back else position is not None and not is_search(filters)
    shows_older = is_back or has_more
    is_narrowed = any(value for name, value in filters.items() if name != "sort")
    has_count = is_narrowed or is_search(filters)
    return ListPage(
        reviews_of([review["id"] for review in found]),
        newer=_format_position(found[0], sort) if found and shows_newer else None,
        older=_format_position(found[-1], sort) if found and shows_older else None,
        matched=result["matched"] if has_count else None,
        is_lower_bound="matched_is_lower_bound" in result,
    )


def _format_position(review: Mapping[str, Any], sort: str) -> str:
    stars = f".{review['rating']}" if sort in BY_STARS else ""
    return f"{review['date']}.{review['id']}{stars}"


def _parse_position(text: str, sort: str) -> Position:
    """Parse date, ULID and, in an order by stars, the stars of a review."""
    match = POSITION.fullmatch(text)
    if match is None or (match[3] is not None) != (sort in BY_STARS):
        raise PositionError
    try:
        date = dt.date.fromisoformat(match[1])
    except ValueError:
        raise PositionError from None
    return Position(date, match[2], sort, int(match[3] or 0))
