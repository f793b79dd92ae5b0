"""Who follows what, how deliveries went, and what an administrator can do about it.

Callbacks are capabilities: lists show their host, and the whole of one is shown to superusers
alone. Secrets are never shown. Rows are made and changed by the hub's own rules, so nothing here is
a form: what can be done are actions.
"""

import datetime as dt
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.paginator import Paginator
from django.db.models import BigIntegerField, Case, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from reviews.admin_filters import ChoiceFilter
from websub import hub, spans, upkeep
from websub.editions import published_versions
from websub.models import Attempt, Subscription, SubscriptionQuerySet, Verification

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

COUNTED_ROWS = 10_000
ACTED_ON = 200  # How many rows one action takes.
NOTHING = "-"


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts no further than anybody pages: a log of millions would be counted for each look."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list[:COUNTED_ROWS]  # type: ignore[assignment]
        return rows.count()


class ReadOnly(ModelAdmin):
    """Rows to look at, quickly, however many there are."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # Each would be one more count.
    paginator = CappedPaginator
    search_fields = ["callback_host"]
    search_help_text = "A part of the callback's host name."

    class Media:
        css = {"all": ["websub/admin.css"]}

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """No filter but those shown: `?callback__contains=` would tell a callback bit by bit."""
        return lookup in {getattr(shown, "parameter_name", "") for shown in self.list_filter}

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # PostgreSQL refuses NUL wherever it occurs; answered like any other bad filter.
        if any("\x00" in value for _, values in request.GET.lists() for value in values):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        return super().changelist_view(request, extra_context)

    @admin.display(description="callback's host")
    def host(self, row: Any) -> str:
        return str(row.callback_host)

    @admin.display(description="host and topic", ordering="callback_host")
    def pair(self, row: Any) -> str:
        path = row.topic.removeprefix(settings.BASE_URL)
        return format_html('{}<div class="hub-small">{}</div>', row.callback_host, path)


class TopicFilter(ChoiceFilter):
    title, parameter_name = "topic", "topic"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(resource.path, resource.path) for resource in hub.topics().values()]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(topic=f"{settings.BASE_URL}{value}")


class OfSubscriptionFilter(ChoiceFilter):
    """Reached from a subscription; shown only while it is on."""

    title, parameter_name = "subscription", "subscription"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        value = request.GET.get("subscription", "")
        is_id = value.isascii() and value.isdecimal() and len(value) < 19
        return [(value, f"number {value}")] if is_id else []

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        if rows.model is Attempt:
            return rows.filter(subscription=int(value))
        return rows.filter(key__in=Subscription.objects.filter(pk=int(value)).values("key"))


# --- Subscriptions --------------------------------------------------------------------------------


class StateFilter(ChoiceFilter):
    title, parameter_name = "state", "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(state, state.capitalize()) for state in ("active", *STATES)]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        now = timezone.now()
        if value == "expired":
            return rows.filter(expires_at__lte=now)
        alive = rows.filter(expires_at__gt=now)
        if value == "set aside":
            return alive.exclude(set_aside="")
        if value == "failing":
            return alive.filter(misses__gt=0, set_aside="")
        return alive.filter(misses=0, set_aside="")


STATES = ("failing", "set aside", "expired")


def state_of(subscription: Subscription) -> str:
    """In a word what matters most about it."""
    if subscription.expires_at <= timezone.now():
        return "expired"
    if subscription.set_aside:
        return "set aside"
    return "failing" if subscription.misses else "active"


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnly):
    list_display = [
        "pair",
        "state",
        "lease",
        "missed",
        "last_result",
        "next_attempt",
    ]
    sortable_by = ["pair", "lease", "missed"]
    list_filter = [StateFilter, TopicFilter]
    ordering = ["-pk"]
    actions = ["retry_now", "verify_again", "remove"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        published = [
            When(topic=topic, then=Value(version))
            for topic, version in published_versions().items()
        ]
        newest = Case(*published, default=Value(0), output_field=BigIntegerField())
        rows: QuerySet[Any] = super().get_queryset(request).annotate(published_version=newest)
        return rows

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        # Whoever knows a callback can speak to the subscriber in our place.
        callback = "callback" if _is_superuser(request) else "host"
        return [
            (None, {"fields": [callback, "topic", "state", "signed"]}),
            ("Lease", {"fields": ["lease", "expires_at", "created_at"]}),
            (
                "Deliveries",
                {
                    "fields": [
                        "versions",
                        "missed",
                        "next_attempt",
                        "last_result",
                        "held_back",
                        "logs",
                    ]
                },
            ),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [name for _, part in self.get_fieldsets(request, obj) for name in part["fields"]]

    # Columns

    @admin.display(description="state")
    def state(self, subscription: Subscription) -> str:
        word = state_of(subscription)
        return format_html('<span class="hub-{}">{}</span>', word.replace(" ", "-"), word)

    @admin.display(description="lease", ordering="expires_at")
    def lease(self, subscription: Subscription) -> str:
        left = (subscription.expires_at - timezone.now()).total_seconds()
        return f"{spans.say(left)} left" if left > 0 else f"ended {_ago(subscription.expires_at)}"

    @admin.display(description="misses", ordering="misses")
    def missed(self, subscription: Subscription) -> str:
        misses, most = subscription.misses, settings.WEBSUB_MAX_MISSES
        if not misses:
            return NOTHING
        return f"{misses} of {most}" if most else str(misses)

    @admin.display(description="last result")
    def last_result(self, subscription: Subscription) -> str:
        if subscription.last_attempt_at is None:
            return "not tried yet"
        at, seconds = subscription.last_attempt_at, subscription.last_seconds
        nothing = "not sent" if subscription.own_faults else "no answer"
        answer = _answer(subscription.last_status or nothing, seconds, subscription.last_error)
        return format_html("{}, {}{}", answer.head, _ago(at), answer.tail)

    @admin.display(description="next attempt")
    def next_attempt(self, subscription: Any) -> str:
        if state_of(subscription) in {"expired", "set aside"}:
            return "none"
        if subscription.acknowledged_version >= subscription.published_version:
            return "at the next change"
        wait = (subscription.next_attempt_at - timezone.now()).total_seconds()
        return f"in {spans.say(wait)}" if wait > 0 else "due now"

    @admin.display(description="signed")
    def signed(self, subscription: Subscription) -> str:
        return "yes" if subscription.encrypted_secret else "no"

    @admin.display(description="acknowledged version")
    def versions(self, subscription: Any) -> str:
        return f"{subscription.acknowledged_version} of {subscription.published_version}"

    @admin.display(description="held back because")
    def held_back(self, subscription: Subscription) -> str:
        return subscription.set_aside or NOTHING

    @admin.display(description="look into")
    def logs(self, subscription: Subscription) -> str:
        pk = subscription.pk
        return format_html(
            '<a href="{}?subscription={}">Its attempts</a>, '
            '<a href="{}?subscription={}">its verifications</a>',
            reverse("admin:websub_attempt_changelist"),
            pk,
            reverse("admin:websub_verification_changelist"),
            pk,
        )

    # Actions

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return _has_permission(request, "websub.change_subscription")

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return _has_permission(request, "websub.delete_subscription")

    @admin.action(description="Retry now", permissions=["operate"])
    def retry_now(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        count = upkeep.retry_now(_plain(queryset))
        self._tell(request, count, "what is due goes out now", "None of them has a living lease.")

    @admin.action(description="Verify again", permissions=["operate"])
    def verify_again(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        if self._are_few(request, queryset):
            count = upkeep.verify_again(_plain(queryset))
            self._tell(
                request,
                count,
                "the callback is asked again whether it wants the subscription",
                "All of them wait for a verification already.",
            )

    @admin.action(description="Remove", permissions=["remove"])
    def remove(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> HttpResponse | None:
        if not self._are_few(request, queryset):
            return None
        if "confirmed" not in request.POST:
            context = self.admin_site.each_context(request) | {
                "title": "Remove subscriptions",
                "opts": self.opts,
                "subscriptions": queryset,
                "checkbox": ACTION_CHECKBOX_NAME,
                "media": self.media,
            }
            return TemplateResponse(request, "admin/websub/subscription/remove.html", context)
        rows = _plain(queryset)
        self.log_deletions(request, rows)
        count = upkeep.remove(rows)
        self._tell(request, count, "removed, and told so by hub.mode=denied", "They are gone.")
        return None

    def _are_few(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> bool:
        if queryset.order_by()[: ACTED_ON + 1].count() <= ACTED_ON:
            return True
        sentence = f"Choose at most {ACTED_ON:,} subscriptions at a time."
        self.message_user(request, sentence, messages.ERROR)
        return False

    def _tell(self, request: HttpRequest, count: int, done: str, nothing: str) -> None:
        if count:
            rows = "1 subscription" if count == 1 else f"{count:,} subscriptions"
            self.message_user(request, f"{rows}: {done}.", messages.SUCCESS)
        else:
            self.message_user(request, nothing, messages.INFO)


def _plain(queryset: QuerySet[Subscription]) -> SubscriptionQuerySet:
    """The chosen rows without what the list annotates and orders."""
    return Subscription.objects.filter(pk__in=queryset.order_by().values("pk"))


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


def _has_permission(request: HttpRequest, permission: str) -> bool:
    return request.user.has_perm(permission)


def _ago(at: dt.datetime) -> str:
    seconds = (timezone.now() - at).total_seconds()
    return f"{spans.say(seconds)} ago" if seconds >= 1 else "just now"


class _Answer(NamedTuple):
    head: str
    tail: SafeString


def _answer(what: int | str, seconds: float | None, error: str) -> _Answer:
    """What came back and how fast, and below it the sentence for what went wrong."""
    head = str(what) if seconds is None else f"{what} after {spans.say(seconds)}"
    return _Answer(head, format_html('<div class="hub-small">{}</div>', error) if error else EMPTY)


EMPTY = SafeString("")


def _instant(at: dt.datetime) -> str:
    """To the second: log lines of other programs are found by it."""
    return at.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M:%S")


# --- Logs -----------------------------------------------------------------------------------------


class ResultFilter(ChoiceFilter):
    title, parameter_name = "result", "result"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, str(label)) for value, label in Attempt.Result.choices]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(result=value)


@admin.register(Attempt)
class AttemptAdmin(ReadOnly):
    list_display = ["when", "pair", "version", "result", "answer"]
    sortable_by = ["when"]
    list_filter = [ResultFilter, TopicFilter, OfSubscriptionFilter]
    ordering = ["-at"]
    fields = ["when", "host", "topic", "version", "result", "answer"]
    readonly_fields = ["when", "host", "answer"]

    @admin.display(description="at (UTC)", ordering="at")
    def when(self, attempt: Attempt) -> str:
        return _instant(attempt.at)

    @admin.display(description="answer")
    def answer(self, attempt: Attempt) -> str:
        is_ours = attempt.result == Attempt.Result.OWN_FAULT
        nothing = "not sent" if is_ours else "no answer"
        answer = _answer(attempt.status or nothing, attempt.seconds, attempt.error)
        return format_html("{}{}", answer.head, answer.tail)


class VerificationStateFilter(ChoiceFilter):
    title, parameter_name = "state", "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, str(label)) for value, label in Verification.State.choices]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(state=value)


class ModeFilter(ChoiceFilter):
    title, parameter_name = "mode", "mode"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, str(label)) for value, label in Verification.Mode.choices]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(mode=value)


@admin.register(Verification)
class VerificationAdmin(ReadOnly):
    list_display = ["when", "pair", "mode", "state", "tries", "answer"]
    sortable_by = ()
    list_filter = [VerificationStateFilter, ModeFilter, TopicFilter, OfSubscriptionFilter]
    ordering = ["-pk"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        callback = "callback" if _is_superuser(request) else "host"
        asked = [callback, "topic", "mode", "asked_lease", "reason", "when"]
        return [*asked, "state", "tries", "next_try", "answer", "finished_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.get_fields(request, obj)

    @admin.display(description="requested at (UTC)")
    def when(self, verification: Verification) -> str:
        return _instant(verification.requested_at)

    @admin.display(description="tried")
    def tries(self, verification: Verification) -> str:
        count = verification.attempts
        return "not yet" if not count else "once" if count == 1 else f"{count} times"

    @admin.display(description="answer")
    def answer(self, verification: Verification) -> str:
        if not verification.attempts and not verification.last_error:
            return NOTHING
        status = verification.last_status or "no answer"
        answer = _answer(status, None, verification.last_error)
        return format_html("{}{}", answer.head, answer.tail)

    @admin.display(description="lease")
    def asked_lease(self, verification: Verification) -> str:
        is_denial = verification.mode == Verification.Mode.DENIED
        return NOTHING if is_denial else spans.say(verification.lease_seconds)

    @admin.display(description="next try")
    def next_try(self, verification: Verification) -> str:
        if verification.state != Verification.State.PENDING:
            return "none"
        wait = (verification.next_attempt_at - timezone.now()).total_seconds()
        return f"in {spans.say(wait)}" if wait > 0 else "due now"
