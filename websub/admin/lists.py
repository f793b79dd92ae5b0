"""Base classes of the hub's lists: read-only, and quick however many rows there are.

Callbacks are capabilities: lists show their host, and only superusers see a whole one. Secrets are
never shown. The hub itself makes and changes the rows, so there are no forms.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.safestring import SafeString

from websub import conf, formatting
from websub.models import Attempt, Subscription
from websub.topics import topics

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

COUNTED_ROWS = 10_000
NOTHING = "-"


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts at most COUNTED_ROWS: a log of millions would be counted for each page."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list[:COUNTED_ROWS]  # type: ignore[assignment]
        return rows.count()


class HubList(ModelAdmin):
    """A read-only list of the hub's rows, quick however many there are."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # Each would be one more count.
    paginator = CappedPaginator
    search_fields = ["callback_host"]
    search_help_text = "A part of the callback's host name, or a whole callback."

    class Media:
        css = {"all": ["websub/admin.css"]}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # Chosen rows that cannot exist are answered like a bad filter.
        if not all(map(is_key, request.POST.getlist(ACTION_CHECKBOX_NAME))):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        return super().changelist_view(request, extra_context)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow shown filters alone: `?callback__contains=` would reveal a callback bit by bit."""
        return lookup in {getattr(shown, "parameter_name", "") for shown in self.list_filter}

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search by host, or by a whole callback; a part of a callback finds nothing."""
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
        path = short_topic(row.topic)
        return format_html('{}<div class="hub-small">{}</div>', row.callback_host, path)


# --- Filters --------------------------------------------------------------------------------------


class ChoiceFilter(ABC, admin.SimpleListFilter):
    """A filter that knows all its values, so that any other is simply no filter."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        known = {str(choice) for choice, _ in self.lookup_choices}
        return self.narrow(queryset, value) if value in known else queryset

    @abstractmethod
    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The rows of one of the filter's values."""


class FieldFilter(ChoiceFilter):
    """A filter by the choices of the field of its name."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        choices = model_admin.opts.get_field(self.parameter_name).choices
        return [(value, str(label)) for value, label in choices]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(**{str(self.parameter_name): value})


class TopicFilter(ChoiceFilter):
    title, parameter_name = "topic", "topic"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(short_topic(url), short_topic(url)) for url in topics()]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(topic__in=[url for url in topics() if short_topic(url) == value])


class OfSubscriptionFilter(ChoiceFilter):
    """A filter that a subscription's page links to; shown only while it is on."""

    title, parameter_name = "subscription", "subscription"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        value = request.GET.get("subscription", "")
        return [(value, f"number {value}")] if is_key(value) else []

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        if rows.model is Attempt:
            return rows.filter(subscription=int(value))
        return rows.filter(key__in=Subscription.objects.filter(pk=int(value)).values("key"))


# --- Texts ----------------------------------------------------------------------------------------


def is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


def is_key(text: str) -> bool:
    """Whether a row may have this number."""
    return text.isascii() and text.isdecimal() and len(text) < 19


def short_topic(url: str) -> str:
    """The topic's path, or its whole URL where it is not under `WEBSUB_BASE_URL`."""
    return url.removeprefix(conf.get("WEBSUB_BASE_URL"))


def attempt_answer(attempt: Attempt, when: str = "") -> SafeString:
    """The answer to a delivery attempt."""
    is_ours = attempt.result == Attempt.Result.HUB_ERROR
    nothing = "not sent" if is_ours else "no answer"
    return answer_of(attempt.status or nothing, attempt.seconds, attempt.error, when)


def answer_of(what: int | str, seconds: float | None, error: str, when: str = "") -> SafeString:
    """The status of an answer and its duration; below them the sentence of the error."""
    head = str(what) if seconds is None else f"{what} after {formatting.format_duration(seconds)}"
    head = f"{head}, {when}" if when else head
    tail = format_html('<div class="hub-small">{}</div>', error) if error else ""
    return format_html("{}{}", head, tail)
