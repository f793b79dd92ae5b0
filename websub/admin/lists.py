"""Lists of the hub's rows, quick however many there are, and what they have in common.

Callbacks are capabilities: lists show their host, and the whole of one is shown to superusers
alone. Secrets are never shown. Rows are made and changed by the hub's own rules, so nothing here is
a form.
"""

from functools import cached_property
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from reviews.admin.lists import ChoiceFilter, ReadOnlyList, is_key
from websub import conf, durations
from websub.models import Attempt, Subscription

COUNTED_ROWS = 10_000
NOTHING = "-"


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts no further than anybody pages: a log of millions would be counted for each look."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list[:COUNTED_ROWS]  # type: ignore[assignment]
        return rows.count()


class HubList(ReadOnlyList):
    """Rows to look at, quickly, however many there are."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # Each would be one more count.
    paginator = CappedPaginator
    search_fields = ["callback_host"]
    search_help_text = "A part of the callback's host name, or a whole callback."

    class Media:
        css = {"all": ["websub/admin.css"]}

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """No filter but those shown: `?callback__contains=` would tell a callback bit by bit."""
        return lookup in {getattr(shown, "parameter_name", "") for shown in self.list_filter}

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """By host; or by a callback, which only those find who know all of it."""
        callback = search_term.strip()
        if callback.lower().startswith("https://"):
            return self.of_callback(queryset, callback), False
        return super().get_search_results(request, queryset, search_term)

    def of_callback(self, rows: QuerySet[Any], callback: str) -> QuerySet[Any]:
        return rows.filter(callback=callback)

    @admin.display(description="callback's host")
    def host(self, row: Any) -> str:
        return str(row.callback_host)

    @admin.display(description="host and topic", ordering="callback_host")
    def pair(self, row: Any) -> str:
        path = row.topic.removeprefix(settings.BASE_URL)
        return format_html('{}<div class="hub-small">{}</div>', row.callback_host, path)


# --- Filters --------------------------------------------------------------------------------------


class FieldFilter(ChoiceFilter):
    """By the values that the field of its name may have."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        choices = model_admin.opts.get_field(self.parameter_name).choices
        return [(value, str(label)) for value, label in choices]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(**{str(self.parameter_name): value})


class TopicFilter(ChoiceFilter):
    title, parameter_name = "topic", "topic"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(resource.path, resource.path) for resource in conf.topics().values()]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(topic=f"{settings.BASE_URL}{value}")


class OfSubscriptionFilter(ChoiceFilter):
    """Reached from a subscription; shown only while it is on."""

    title, parameter_name = "subscription", "subscription"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        value = request.GET.get("subscription", "")
        return [(value, f"number {value}")] if is_key(value) else []

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        if rows.model is Attempt:
            return rows.filter(subscription=int(value))
        return rows.filter(key__in=Subscription.objects.filter(pk=int(value)).values("key"))


# --- Words ----------------------------------------------------------------------------------------


class Answer(NamedTuple):
    head: str
    tail: SafeString


def say_answer(what: int | str, seconds: float | None, error: str) -> Answer:
    """What came back and how fast, and below it the sentence for what went wrong."""
    head = str(what) if seconds is None else f"{what} after {durations.format_duration(seconds)}"
    tail = format_html('<div class="hub-small">{}</div>', error) if error else SafeString("")
    return Answer(head, tail)
