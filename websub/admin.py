"""Administration of the hub: subscriptions, delivery attempts, verifications.

Callbacks are capabilities: lists show their host, and only superusers see a whole one. Secrets are
never shown. The hub itself makes and changes the rows, so the lists are read-only.
"""

import datetime as dt
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.paginator import Paginator
from django.db.models import BigIntegerField, Case, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from websub import admin_actions, conf
from websub.formatting import format_duration, format_size
from websub.models import (
    Attempt,
    Subscription,
    SubscriptionQuerySet,
    Verification,
    callback_hash,
)
from websub.topics import topics, versions

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

COUNTED_ROWS = 10_000
NOTHING = "-"
ACTED_ON = 200  # How many tests are sent at a time.
DELIVERIES = ("versions", "failures", "next_attempt", "last_result", "last_test", "logs")
NOTHING_TO_SEND = "nothing is sent: their lease is over, or their topic is not served."

State = Subscription.State


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


class ChoiceFilter(admin.SimpleListFilter):
    """A filter by the choices of the field of its name; any other value is no filter."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        choices = model_admin.opts.get_field(self.parameter_name).choices
        return [(value, str(label)) for value, label in choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        known = {str(choice) for choice, _ in self.lookup_choices}
        return self.narrow(queryset, value) if value in known else queryset

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The rows of one of the filter's values."""
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


class ResultFilter(ChoiceFilter):
    title = parameter_name = "result"


class VerificationStateFilter(ChoiceFilter):
    title = parameter_name = "state"


class ModeFilter(ChoiceFilter):
    title = parameter_name = "mode"


class TestFilter(ChoiceFilter):
    title, parameter_name = "kind", "test"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", "Deliveries"), ("yes", "Test deliveries")]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(is_test=value == "yes")


class StateFilter(ChoiceFilter):
    title, parameter_name = "state", "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(state.value, state.value.capitalize()) for state in State]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        now, is_served = timezone.now(), Q(topic__in=topics())
        if value == State.EXPIRED:
            return rows.filter(expires_at__lte=now)
        if value == State.ORPHANED:
            return rows.filter(~is_served, expires_at__gt=now)
        is_failing = Q(consecutive_failures__gt=0)
        of_state = is_failing if value == State.FAILING else ~is_failing
        return rows.filter(of_state, is_served, expires_at__gt=now)


# --- Logs -----------------------------------------------------------------------------------------


@admin.register(Attempt)
class AttemptAdmin(HubList):
    list_display = ["when", "pair", "version", "sent", "signed", "outcome", "answer"]
    sortable_by = ["when"]
    list_filter = [ResultFilter, TestFilter, TopicFilter, OfSubscriptionFilter]
    ordering = ["-at"]
    fields = ["when", "host", "topic", "version", "sent", "signed", "outcome", "answer"]
    readonly_fields = ["when", "host", "sent", "signed", "outcome", "answer"]

    def of_callback(self, rows: QuerySet[Any], callback: str) -> QuerySet[Any]:
        """Also those of subscriptions that have ended: the log keeps the callback's hash."""
        return rows.filter(callback_hash=callback_hash(callback))

    @admin.display(description="sent")
    def sent(self, attempt: Attempt) -> str:
        return NOTHING if attempt.sent_bytes is None else format_size(attempt.sent_bytes)

    @admin.display(description="signed")
    def signed(self, attempt: Attempt) -> str:
        return attempt.signature_method or "no"

    @admin.display(description="result")
    def outcome(self, attempt: Attempt) -> str:
        result: str = attempt.get_result_display()
        return f"Test: {result[0].lower()}{result[1:]}" if attempt.is_test else result

    @admin.display(description="at", ordering="at")
    def when(self, attempt: Attempt) -> str:
        return _instant(attempt.at)

    @admin.display(description="answer")
    def answer(self, attempt: Attempt) -> str:
        return attempt_answer(attempt)


@admin.register(Verification)
class VerificationAdmin(HubList):
    list_display = ["when", "pair", "mode", "state", "tries", "answer"]
    sortable_by = ()
    list_filter = [VerificationStateFilter, ModeFilter, TopicFilter, OfSubscriptionFilter]
    ordering = ["-pk"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        callback = "callback" if request.user.is_superuser else "host"
        names = [callback, "topic", "mode", "requested_lease", "reason", "when"]
        return [*names, "state", "tries", "next_try", "answer", "finished_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.get_fields(request, obj)

    @admin.display(description="requested at")
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
        return answer_of(verification.last_status or "no answer", None, verification.last_error)

    @admin.display(description="lease")
    def requested_lease(self, verification: Verification) -> str:
        is_denial = verification.mode == Verification.Mode.DENIED
        return NOTHING if is_denial else format_duration(verification.lease_seconds)

    @admin.display(description="next try")
    def next_try(self, verification: Verification) -> str:
        if verification.state != Verification.State.PENDING:
            return "none"
        wait = (verification.next_attempt_at - timezone.now()).total_seconds()
        return f"in {format_duration(wait)}" if wait > 0 else "due now"


# --- Subscriptions --------------------------------------------------------------------------------


def state_of(subscription: Subscription) -> Subscription.State:
    return subscription.state(topics(), timezone.now())


@admin.register(Subscription)
class SubscriptionAdmin(HubList):
    list_display = ["pair", "state", "lease", "failures", "signed", "last_result", "next_attempt"]
    sortable_by = ["pair", "lease", "failures"]
    list_filter = [StateFilter, TopicFilter]
    ordering = ["-pk"]
    actions = ["retry_now", "send_test", "resend_newest", "remove"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        published = [
            When(topic=topic, then=Value(version)) for topic, version in versions().items()
        ]
        newest = Case(*published, default=Value(0), output_field=BigIntegerField())
        rows: QuerySet[Any] = super().get_queryset(request).annotate(published_version=newest)
        return rows

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        # With a callback one could speak to the subscriber in place of the hub.
        callback = "callback" if request.user.is_superuser else "host"
        return [
            (None, {"fields": [callback, "topic", "state", "signed"]}),
            ("Lease", {"fields": ["lease", "expires_at", "created_at"]}),
            ("Deliveries", {"fields": list(DELIVERIES)}),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [name for _, part in self.get_fieldsets(request, obj) for name in part["fields"]]

    # Columns

    @admin.display(description="state")
    def state(self, subscription: Subscription) -> str:
        return format_html('<span class="hub-{0}">{0}</span>', state_of(subscription).value)

    @admin.display(description="lease", ordering="expires_at")
    def lease(self, subscription: Subscription) -> str:
        left = (subscription.expires_at - timezone.now()).total_seconds()
        if left <= 0:
            return f"ended {_ago(subscription.expires_at)}"
        return f"{format_duration(left)} left"

    @admin.display(description="failures", ordering="consecutive_failures")
    def failures(self, subscription: Subscription) -> str:
        count, most = subscription.consecutive_failures, conf.get("WEBSUB_MAX_FAILURES")
        if not count:
            return NOTHING
        return f"{count} of {most}" if most else str(count)

    @admin.display(description="last result")
    def last_result(self, subscription: Subscription) -> str:
        if subscription.last_attempt_at is None:
            return "not tried yet"
        at, seconds = subscription.last_attempt_at, subscription.last_seconds
        what = subscription.last_status or ("not sent" if subscription.hub_errors else "no answer")
        return answer_of(what, seconds, subscription.last_error, _ago(at))

    @admin.display(description="next attempt")
    def next_attempt(self, subscription: Any) -> str:
        state = state_of(subscription)
        if state == State.ORPHANED:
            return f"none: the topic is not served under {conf.get('WEBSUB_BASE_URL')}"
        if state == State.EXPIRED:
            return "none"
        if subscription.acknowledged_version >= subscription.published_version:
            return "at the next change"
        wait = (subscription.next_attempt_at - timezone.now()).total_seconds()
        return f"in {format_duration(wait)}" if wait > 0 else "due now"

    @admin.display(description="signed")
    def signed(self, subscription: Subscription) -> str:
        return conf.get("WEBSUB_SIGNATURE_METHOD") if subscription.encrypted_secret else "no"

    @admin.display(description="last test delivery")
    def last_test(self, subscription: Subscription) -> str:
        tests = Attempt.objects.filter(subscription=subscription, is_test=True)
        test = tests.order_by("-at").first()
        requested_at = subscription.test_requested_at
        if requested_at and (test is None or test.at < requested_at):
            return "about to be sent"
        return attempt_answer(test, _ago(test.at)) if test else NOTHING

    @admin.display(description="acknowledged version")
    def versions(self, subscription: Any) -> str:
        if state_of(subscription) == State.ORPHANED:
            return f"{subscription.acknowledged_version}, the last one of its topic"
        return f"{subscription.acknowledged_version} of {subscription.published_version}"

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
        return bool(request.user.has_perm("websub.change_subscription"))

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("websub.delete_subscription"))

    @admin.action(description="Retry now what is due", permissions=["operate"])
    def retry_now(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        nothing = (
            "nothing is due. They have the newest content already, their lease is over, or their "
            'topic is not served. "Resend the newest content" sends what they have once more.'
        )
        done = "what is due goes out now"
        self._act(request, queryset, admin_actions.retry_now, done, nothing)

    @admin.action(description="Send a test delivery", permissions=["operate"])
    def send_test(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        done = (
            "the newest content is sent once as a test; the attempts show the answer within "
            "seconds, and a failure does not count"
        )
        if queryset.order_by()[: ACTED_ON + 1].count() > ACTED_ON:
            most = gettext("Choose at most %(count)s subscriptions at a time.")
            self.message_user(request, most % {"count": ACTED_ON}, messages.ERROR)
            return
        self._act(request, queryset, admin_actions.send_test, done, NOTHING_TO_SEND)

    @admin.action(description="Resend the newest content", permissions=["operate"])
    def resend_newest(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> None:
        done = "the newest content is delivered once more, with retries as usual"
        self._act(request, queryset, admin_actions.resend_newest, done, NOTHING_TO_SEND)

    @admin.action(description="Remove", permissions=["remove"])
    def remove(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> HttpResponse | None:
        if "confirmed" not in request.POST:
            context = self.admin_site.each_context(request) | {
                "title": gettext("Remove subscriptions"),
                "opts": self.opts,
                "media": self.media,
                "subscriptions": queryset,
                "checkbox": ACTION_CHECKBOX_NAME,
                "across": request.POST.get("select_across", "0"),  # 1: all that the filters leave.
            }
            return TemplateResponse(request, "admin/websub/subscription/remove.html", context)
        rows = _plain(queryset)
        self.log_deletions(request, rows)
        count = admin_actions.remove(rows)
        if not count:
            self.message_user(request, "They are gone.", messages.INFO)
        self._tell(request, count, "removed, and told so by hub.mode=denied")
        return None

    def _act(
        self,
        request: HttpRequest,
        queryset: QuerySet[Subscription],
        action: Callable[[SubscriptionQuerySet], int],
        done: str,
        nothing: str,
    ) -> None:
        """Act on the chosen rows; show how many it holds for, and why not for the others."""
        chosen = queryset.order_by().count()
        count = action(_plain(queryset))
        self._tell(request, count, done)
        self._tell(request, chosen - count, nothing, messages.INFO)

    def _tell(
        self, request: HttpRequest, count: int, done: str, level: int = messages.SUCCESS
    ) -> None:
        """Show the number of subscriptions that this holds for, if any."""
        if count:
            rows = "1 subscription" if count == 1 else f"{count:,} subscriptions"
            self.message_user(request, f"{rows}: {done}{'' if done.endswith('.') else '.'}", level)


def _plain(queryset: QuerySet[Subscription]) -> SubscriptionQuerySet:
    """The chosen rows without annotations and order of the list."""
    return Subscription.objects.filter(pk__in=queryset.order_by().values("pk"))


# --- Texts ----------------------------------------------------------------------------------------


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
    head = str(what) if seconds is None else f"{what} after {format_duration(seconds)}"
    head = f"{head}, {when}" if when else head
    tail = format_html('<div class="hub-small">{}</div>', error) if error else ""
    return format_html("{}{}", head, tail)


def _instant(at: dt.datetime) -> str:
    """To the second, with its zone: log lines of other programs are found by it."""
    return date_format(timezone.localtime(at), "Y-m-d H:i:s T")


def _ago(at: dt.datetime) -> str:
    seconds = (timezone.now() - at).total_seconds()
    return f"{format_duration(seconds)} ago" if seconds >= 1 else "just now"
