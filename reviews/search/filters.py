"""The filters of reviews: of the search interface, of MCP, and of the list page with its form."""

from typing import Any

import django_filters
from django import forms
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import In
from django_filters.constants import EMPTY_VALUES

from reviews.current import current_choices, current_roster
from reviews.languages import language_name
from reviews.models import Mention, Review
from reviews.search.fields import HIGHEST, LOWEST, NEWEST, OLDEST
from reviews.search.parameters import MAX_QUERY_CHARACTERS, Search
from reviews.search.text_index import contains
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


class TextFilter(django_filters.CharFilter):  # type: ignore[misc]  # It has no types.
    def filter(self, qs: Reviews, value: str) -> Reviews:
        return qs.filter(contains(fold_for_search(value))) if value else qs


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
        return qs.filter(In(Coalesce("source", Value("")), value)) if value else qs


class MentionFilter(ChoiceFilter):
    """Reviews that mention a technician or service; of an unknown name there are none."""

    def filter(self, qs: Reviews, value: str) -> Reviews:
        if not value:
            return qs
        kind = self.field_name.removeprefix("mentions_")
        slug = getattr(current_roster(), f"resolve_{kind}")(value)
        if slug is None:
            return qs.none()
        mentions = Mention.objects.filter(kind=kind, subject=slug).order_by()
        return qs.filter(pk__in=mentions.values("review_id"))


class HasTextFilter(django_filters.BooleanFilter):  # type: ignore[misc]  # It has no types.
    def filter(self, qs: Reviews, value: bool | None) -> Reviews:  # noqa: FBT001  (Its base's.)
        # By the language, which the index holds: empty without a text, null before it was detected.
        is_empty = Q(language="")
        return qs if value is None else qs.filter(~is_empty if value else is_empty)


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
        """The reviews that satisfy all filters of a search but its words."""
        for name, each in cls.base_filters.items():
            value = getattr(search, name)
            if name != "query" and value not in EMPTY_VALUES:
                reviews = each.filter(reviews, value)
        return reviews
