"""Filter, sort and count the visible reviews, and cache the results.

The HTTP interface, MCP tools, feeds and the form of the list page share these filters. A result
joins the published JSON of its reviews. Its ETag is a hash of its bytes, so that all machines with
the same reviews send the same one.
"""

import datetime as dt
import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import django_filters
import orjson
from django import forms
from django.conf import settings
from django.db import connection
from django.db.models import F, Q, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from django.db.models.lookups import In
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_filters.constants import EMPTY_VALUES

from publishing.snapshot import read_snapshot
from review_analysis.text import fold_for_search
from reviews.current import cached_by_revision, current_choices, current_revision, current_roster
from reviews.languages import language_name
from reviews.models import DeletedReview, Mention, Review
from reviews.search.fields import HIGHEST, LOWEST, NEWEST, OLDEST, Position, cursor_text
from reviews.search.parameters import MAX_QUERY_CHARACTERS, Search, query_string
from reviews.sites import source_name
from reviews.stars import STARS

Reviews = QuerySet[Review, Any]
Words: TypeAlias = str | Promise


def _stars(number: int) -> str:
    return ngettext("%d star", "%d stars", number) % number


# `ngettext_lazy` would be translated at once, since its number is known.
_stars_lazy = lazy(_stars, str)
RATINGS = [(number, _stars_lazy(number)) for number in reversed(STARS)]
ORDER_LABELS = [
    (NEWEST, _("Newest first")),
    (OLDEST, _("Oldest first")),
    (HIGHEST, _("Best first")),
    (LOWEST, _("Worst first")),
]
DAY: dict[str, Any] = {
    "widget": forms.DateInput({"type": "date"}),
    "input_formats": ["%Y-%m-%d"],
    "error_messages": {"invalid": _("Write the day as YYYY-MM-DD.")},
}
# Phrases that SQLite's index of trigrams can find; FTS5 reads U+FFFE and U+FFFF as U+FFFD.
INDEXED = re.compile(r"[^\ufffd-\uffff]{3,}")
_MATCHING = "SELECT rowid FROM reviews_text_trigrams WHERE reviews_text_trigrams MATCH %s LIMIT %s"
KEYS_OF_MATCHES = f"SELECT json_group_array(rowid) FROM ({_MATCHING})"  # noqa: S608  (Constants.)
COUNT_OF_MATCHES = f"SELECT count(*) FROM ({_MATCHING})"  # noqa: S608  (Constants.)
FEW = 300  # Sorting more matches takes longer than scanning the index of dates.


class TextFilter(django_filters.CharFilter):  # type: ignore[misc]  # It has no types.
    """Reviews whose folded text contains the words.

    On SQLite this queries the index of trigrams, or compares texts if there are more matches than
    `SEARCH_COUNT_CAP`. The planner of PostgreSQL chooses by itself.
    """

    def filter(self, qs: Reviews, value: str) -> Reviews:
        found = _query_index(value, KEYS_OF_MATCHES, settings.SEARCH_COUNT_CAP + 1)
        if found == "[]":
            return qs.none()
        if found is None or found.count(",") >= settings.SEARCH_COUNT_CAP:
            return qs.filter(text_folded__contains=fold_for_search(value))
        # A function keeps SQLite from using the index of keys.
        key = F("pk") if found.count(",") < FEW else Coalesce("pk", Value(0))
        return qs.filter(In(key, RawSQL("SELECT value FROM json_each(%s)", [found])))


def _query_index(words: str, statement: str, most: int) -> Any:
    """Result of a statement about at most `most` matches; None if no index can find them."""
    phrase = fold_for_search(words)
    if not settings.USES_SQLITE or not INDEXED.fullmatch(phrase):
        return None
    quoted = '"{}"'.format(phrase.replace('"', '""'))  # A string of FTS5's query syntax.
    with connection.cursor() as cursor:
        return cursor.execute(statement, [quoted, most]).fetchone()[0]


class ChoiceFilter(django_filters.ChoiceFilter):  # type: ignore[misc]  # It has no types.
    """A filter with a list of values for the form."""

    def __init__(self, label: Words, empty: Words | None, choices: Any, refusal: Words) -> None:
        super().__init__(
            label=label,
            empty_label=empty,
            choices=choices,
            error_messages={"invalid_choice": refusal},
        )


class SourceFilter(ChoiceFilter):
    def filter(self, qs: Reviews, value: tuple[str, ...]) -> Reviews:
        # A function keeps SQLite from using the index of merge keys, after which it would sort.
        return qs.filter(In(Coalesce("source", Value("")), value))


class MentionFilter(ChoiceFilter):
    """Reviews that mention a technician or service; none for an unknown name."""

    def filter(self, qs: Reviews, value: str) -> Reviews:
        kind = self.field_name.removeprefix("mentions_")
        roster = current_roster()
        resolve = roster.resolve_service if kind == "service" else roster.resolve_person
        slug = resolve(value)
        mentions = Mention.objects.filter(kind=kind, subject=slug).order_by()
        return qs.none() if slug is None else qs.filter(pk__in=mentions.values("review_id"))


class HasTextFilter(django_filters.BooleanFilter):  # type: ignore[misc]  # It has no types.
    def filter(self, qs: Reviews, value: bool) -> Reviews:  # noqa: FBT001  (Its base's.)
        # The index holds the language, which is empty without a text.
        is_empty = Q(language="")
        return qs.filter(~is_empty if value else is_empty)


class ReviewFilter(django_filters.FilterSet):  # type: ignore[misc]  # It has no types.
    """Filters of a search. Those with a label are fields of the form on the list page."""

    query = TextFilter(
        label=_("Words"),
        max_length=MAX_QUERY_CHARACTERS,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("on time")}),
        error_messages={
            "max_length": _("Search for at most %(count)d characters.")
            % {"count": MAX_QUERY_CHARACTERS}
        },
    )
    rating = ChoiceFilter(
        _("Rating"), _("Any rating"), RATINGS, _("Choose a rating from 1 to 5 stars.")
    )
    mentions_service = MentionFilter(
        _("Service"),
        _("Any service"),
        lambda: current_choices().services,
        _("Choose one of the services."),
    )
    mentions_technician = MentionFilter(
        _("Person"),
        _("Anybody"),
        lambda: current_choices().technicians,
        _("Choose one of the people."),
    )
    source = SourceFilter(
        _("Source"),
        _("Any source"),
        lambda: [(source, source_name(source)) for source in current_choices().sources],
        _("Choose one of the sources."),
    )
    language = ChoiceFilter(
        _("Language"),
        _("Any language"),
        lambda: [(tag, language_name(tag)) for tag in current_choices().languages],
        _("Choose one of the languages."),
    )
    since = django_filters.DateFilter("date", "gte", label=_("From"), **DAY)
    until = django_filters.DateFilter("date", "lte", label=_("To"), **DAY)
    min_rating = django_filters.NumberFilter("rating", "gte")
    max_rating = django_filters.NumberFilter("rating", "lte")
    has_text = HasTextFilter()
    has_reply = django_filters.BooleanFilter()
    changed_since = django_filters.IsoDateTimeFilter("modified_at", "gte")

    class Meta:
        model = Review
        fields: list[str] = []

    @classmethod
    def apply(cls, reviews: Reviews, search: Search) -> Reviews:
        """Apply all filters of a validated search."""
        for name, value in search.items():
            if name in cls.base_filters and value not in EMPTY_VALUES:
                reviews = cls.base_filters[name].filter(reviews, value)
        return reviews


# --- Answers --------------------------------------------------------------------------------------

CACHED_ANSWERS = 500  # About 15 kB each, for 20 reviews.
ORDERS = {
    NEWEST: ("-date", "-ulid"),
    OLDEST: ("date", "ulid"),
    HIGHEST: ("-rating", "-date", "-ulid"),
    LOWEST: ("rating", "-date", "-ulid"),
}
BY_STARS = frozenset({HIGHEST, LOWEST})


class SearchAnswer:
    """JSON result of a search, its strong ETag and the query string of the next page."""

    def __init__(self, body: bytes, next_page: str | None) -> None:
        self.body = body
        self.next_page = next_page
        self.etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'

    def naming(self, ignored: Sequence[str]) -> "SearchAnswer":
        """Copy with the names of ignored parameters."""
        body = b'%b,"ignored_parameters":%b}' % (self.body[:-1], orjson.dumps(ignored))
        return SearchAnswer(body, self.next_page)


def search_reviews(search: Search) -> SearchAnswer:
    """Answer a search from one consistent state, at most `VERSION_POLL_MS` old."""
    return _answer(tuple(search.items()), current_revision())


@cached_by_revision
@lru_cache(maxsize=CACHED_ANSWERS)
def _answer(values: tuple[tuple[str, Any], ...], _revision: int) -> SearchAnswer:
    search = dict(values)
    limit, removed = search["limit"], None
    with read_snapshot():
        if "changed_since" in search:
            removed = [] if "cursor" in search else find_removed(search["changed_since"])
        found = find(search)
    shown = found.page[:limit]
    cursor = following = None
    if len(found.page) > limit:
        cursor = cursor_text(_position(shown[-1], search["sort"]))
        following = query_string(search, cursor)
    rest = {
        "next_cursor": cursor,
        **({"matched_is_lower_bound": True} if found.is_lower_bound else {}),
        **({} if removed is None else {"removed": removed}),
    }
    body = b'{"matched":%d,"returned":%d,"reviews":[%b],%b' % (
        found.matched,
        len(shown),
        ",".join(shown).encode(),
        orjson.dumps(rest)[1:],
    )
    return SearchAnswer(body, following)


class Result(NamedTuple):
    """A page of published reviews, and the number of matches.

    If another page follows, this one holds one review more than the limit.
    """

    page: Sequence[str]
    matched: int
    is_lower_bound: bool = False


def find(search: Search) -> Result:
    """Find a page and count the matches by several queries; call this inside a snapshot."""
    matching = following = ReviewFilter.apply(Review.objects.visible(), search)
    if "cursor" in search:
        following = matching.filter(_after(search["cursor"]))
    order, most = ORDERS[search["sort"]], search["limit"] + 1
    if search["sort"] in BY_STARS:  # Keys first: sorting whole rows takes longer.
        following = Review.objects.filter(pk__in=following.order_by(*order).values("pk")[:most])
    page = list(following.order_by(*order).values_list("fragment", flat=True)[:most])
    cap = settings.SEARCH_COUNT_CAP if search.get("query") else None
    is_whole = "cursor" not in search and len(page) <= search["limit"]
    matched = len(page) if is_whole else _count(search, matching, cap)
    if cap is None or matched <= cap:
        return Result(page, matched)
    return Result(page, cap, is_lower_bound=True)


def _count(search: Search, matching: Reviews, cap: int | None) -> int:
    """Count the matches up to one more than the cap."""
    if cap is None:
        return matching.count()
    counted = None
    if search.keys().isdisjoint(ReviewFilter.base_filters.keys() - {"query"}):
        counted = _query_index(search["query"], COUNT_OF_MATCHES, cap + 1)
    return matching[: cap + 1].count() if counted is None else counted


def find_removed(since: dt.datetime) -> list[str]:
    """Sorted ids of reviews that were hidden or deleted since a time."""
    hidden = Review.objects.filter(hidden=True, hidden_at__gte=since)
    deleted = DeletedReview.objects.filter(deleted_at__gte=since).values_list("ulid", flat=True)
    restored = Review.objects.visible().filter(ulid__in=deleted)
    removed = {*hidden.values_list("ulid", flat=True), *deleted}
    return sorted(removed.difference(restored.values_list("ulid", flat=True)))


def _position(published: str, sort: str) -> Position:
    review = orjson.loads(published)
    stars = review["rating"] if sort in BY_STARS else 0
    return Position(dt.date.fromisoformat(review["date"]), review["id"], sort, stars)


def _after(position: Position) -> Q:
    """Condition of reviews after a position, in its order."""
    date, ulid = position.date, position.ulid
    if position.sort == OLDEST:
        return Q(date__gte=date) & (Q(date__gt=date) | Q(ulid__gt=ulid))
    older = Q(date__lte=date) & (Q(date__lt=date) | Q(ulid__lt=ulid))
    if position.sort == NEWEST:
        return older
    beyond = "lt" if position.sort == HIGHEST else "gt"
    return Q(**{f"rating__{beyond}": position.stars}) | Q(rating=position.stars) & older
