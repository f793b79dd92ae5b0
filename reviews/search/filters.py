"""The filters of reviews: of the search interface, of MCP, and of the list page with its form."""

import re
from typing import Any

import django_filters
from django import forms
from django.conf import settings
from django.db import connection
from django.db.models import Q, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from django.db.models.lookups import In
from django_filters.constants import EMPTY_VALUES

from reviews.current import current_choices, current_roster
from reviews.languages import language_name
from reviews.models import Mention, Review
from reviews.search.fields import HIGHEST, LOWEST, NEWEST, OLDEST
from reviews.search.parameters import MAX_QUERY_CHARACTERS, Search
from reviews.sites import source_name
from reviews.stars import STARS
from reviews.text_folding import fold_for_search

Reviews = QuerySet[Review, Any]

RATINGS = [(n, "1 star" if n == 1 else f"{n} stars") for n in reversed(STARS)]
ORDERS = [
    (NEWEST, "Newest first"),
    (OLDEST, "Oldest first"),
    (HIGHEST, "Best first"),
    (LOWEST, "Worst first"),
]
DAY: dict[str, Any] = {
    "widget": forms.DateInput({"type": "date"}),
    "input_formats": ["%Y-%m-%d"],
    "error_messages": {"invalid": "Write the day as YYYY-MM-DD."},
}
# Phrases in SQLite's index of trigrams; FTS5 takes U+FFFE and U+FFFF for U+FFFD.
INDEXED = re.compile(r"[^\ufffd-\uffff]{3,}")
MATCHING = "SELECT rowid FROM reviews_text_trigrams WHERE reviews_text_trigrams MATCH %s"


class TextFilter(django_filters.CharFilter):  # type: ignore[misc]  # It has no types.
    """Reviews whose folded text contains the words.

    SQLite looks them up in its index of trigrams, unless it has more matches than are counted: then
    a page and the count are found sooner by comparing texts. PostgreSQL decides the same by itself.
    """

    def filter(self, qs: Reviews, value: str) -> Reviews:
        phrase = fold_for_search(value)
        if settings.USES_SQLITE and INDEXED.fullmatch(phrase):
            quoted = '"{}"'.format(phrase.replace('"', '""'))  # A string of FTS5's language.
            with connection.cursor() as cursor:
                counting = f"SELECT count(*) FROM ({MATCHING} LIMIT %s)"  # noqa: S608  (A constant.)
                cursor.execute(counting, [quoted, settings.SEARCH_COUNT_CAP + 1])
                number = cursor.fetchone()[0]
            if not number:
                return qs.none()
            if number <= settings.SEARCH_COUNT_CAP:
                return qs.filter(pk__in=RawSQL(MATCHING, [quoted]))  # noqa: S611  (A constant.)
        return qs.filter(text_folded__contains=phrase)


class ChoiceFilter(django_filters.ChoiceFilter):  # type: ignore[misc]  # It has no types.
    """A filter of a few values, each with a label on the page."""

    def __init__(self, label: str, empty: str | None, choices: Any, refusal: str) -> None:
        super().__init__(
            label=label,
            empty_label=empty,
            choices=choices,
            error_messages={"invalid_choice": refusal},
        )


class SourceFilter(ChoiceFilter):
    def filter(self, qs: Reviews, value: tuple[str, ...]) -> Reviews:
        # Behind a function, since SQLite would else take the index of merge keys, and sort.
        return qs.filter(In(Coalesce("source", Value("")), value))


class MentionFilter(ChoiceFilter):
    """Reviews that mention a technician or service; of an unknown name there are none."""

    def filter(self, qs: Reviews, value: str) -> Reviews:
        kind = self.field_name.removeprefix("mentions_")
        slug = getattr(current_roster(), f"resolve_{kind}")(value)
        mentions = Mention.objects.filter(kind=kind, subject=slug).order_by()
        return qs.none() if slug is None else qs.filter(pk__in=mentions.values("review_id"))


class HasTextFilter(django_filters.BooleanFilter):  # type: ignore[misc]  # It has no types.
    def filter(self, qs: Reviews, value: bool) -> Reviews:  # noqa: FBT001  (Its base's.)
        # By the language, which the index holds: empty without a text, null before it was detected.
        is_empty = Q(language="")
        return qs.filter(~is_empty if value else is_empty)


class ReviewFilter(django_filters.FilterSet):  # type: ignore[misc]  # It has no types.
    """Filters by the parameters of a search; `apply` takes a valid one.

    Filters with a label are fields of the form on the list page.
    """

    query = TextFilter(
        label="Words",
        max_length=MAX_QUERY_CHARACTERS,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "on time"}),
        error_messages={"max_length": f"Search for at most {MAX_QUERY_CHARACTERS} characters."},
    )
    rating = ChoiceFilter("Rating", "Any rating", RATINGS, "Choose a rating from 1 to 5 stars.")
    mentions_service = MentionFilter(
        "Service", "Any service", lambda: current_choices().services, "Choose one of the services."
    )
    mentions_technician = MentionFilter(
        "Person", "Anybody", lambda: current_choices().technicians, "Choose one of the people."
    )
    source = SourceFilter(
        "Source",
        "Any source",
        lambda: [(source, source_name(source)) for source in current_choices().sources],
        "Choose one of the sources.",
    )
    language = ChoiceFilter(
        "Language",
        "Any language",
        lambda: [(tag, language_name(tag)) for tag in current_choices().languages],
        "Choose one of the languages.",
    )
    since = django_filters.DateFilter("date", "gte", label="From", **DAY)
    until = django_filters.DateFilter("date", "lte", label="To", **DAY)
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
        """The reviews that satisfy all filters of a search."""
        for name, value in search.items():
            if name in cls.base_filters and value not in EMPTY_VALUES:
                reviews = cls.base_filters[name].filter(reviews, value)
        return reviews
