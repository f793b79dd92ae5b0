"""How the list of reviews is narrowed."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from core.admin.base import ChoiceFilter
from reviews.models import Mention, Review
from reviews.sites import source_name
from reviews.stars import STARS


class StateFilter(ChoiceFilter):
    title, parameter_name = "state", "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("public", "Public"), ("hidden", "Hidden")]

    def narrow(self, reviews: QuerySet[Any], value: str) -> QuerySet[Any]:
        return reviews.filter(hidden=value == "hidden")


class RatingFilter(ChoiceFilter):
    title, parameter_name = "rating", "rating"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(n), "★" * n) for n in reversed(STARS)]

    def narrow(self, reviews: QuerySet[Any], value: str) -> QuerySet[Any]:
        return reviews.filter(rating=int(value))


class ReplyFilter(ChoiceFilter):
    title, parameter_name = "reply", "reply"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("missing", "Missing"), ("there", "There")]

    def narrow(self, reviews: QuerySet[Any], value: str) -> QuerySet[Any]:
        return reviews.filter(has_reply=value == "there")


class SourceFilter(ChoiceFilter):
    title, parameter_name = "source", "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        sources = Review.objects.order_by("source").values_list("source", flat=True).distinct()
        return [(source, source_name(source)) for source in sources]

    def narrow(self, reviews: QuerySet[Any], value: str) -> QuerySet[Any]:
        return reviews.filter(source=value)


class EditedFilter(ChoiceFilter):
    title, parameter_name = "edited by hand", "edited"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Yes"), ("no", "No")]

    def narrow(self, reviews: QuerySet[Any], value: str) -> QuerySet[Any]:
        return (
            reviews.exclude(edited_fields=[])
            if value == "yes"
            else reviews.filter(edited_fields=[])
        )


class MentionFilter(ChoiceFilter):
    """Reached from the roster; shown only while it is on."""

    title, parameter_name = "mentions", "mentions"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        value = request.GET.get("mentions", "")
        kind, _, slug = value.partition(":")
        return [(value, slug)] if kind in Mention.Kind.values and slug else []

    def narrow(self, reviews: QuerySet[Any], value: str) -> QuerySet[Any]:
        kind, _, slug = value.partition(":")
        return reviews.filter(mentions__kind=kind, mentions__subject=slug)
