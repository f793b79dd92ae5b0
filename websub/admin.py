"""Administration of the hub: subscriptions, delivery attempts, verifications.

Callbacks are capabilities: lists show their host, and only superusers see the full URL. Secrets are
never shown. Only the hub creates and changes rows, so the lists are read-only.
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
from websub.models import Attempt, Subscription, SubscriptionQuerySet, Verification, callback_hash
from websub.topics import topics, versions

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

COUNTED_ROWS = 10_000
NOTHING = "-"
MAX_TESTS = 200
NOTHING_TO_SEND = "nothing is sent: their lease is over, or their topic is not served."

State = Subscription.State


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Count at most COUNTED_ROWS, since counting a log of millions would slow down each page."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list[:COUNTED_ROWS]  # type: ignore[assignment]
        return rows.count()


class HubList(ModelAdmin):
    """A read-only list of rows of the hub, fast for any number of rows."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # Each facet would need another count.
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
        """Allow only the shown filters: `?callback__contains=` would reveal a callback."""
        return lookup in {getattr(shown, "parameter_name", "") for shown in self.list_filter}

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search by a part of the host or by the full callback, never by a part of a callback."""
        callback = search_term.strip()
        if callback.lower().startswith("https://"):
            return self.filter_by_callback(queryset, callback), False
        return super().get_search_results(request, queryset, search_term)

    def filter_by_callback(self, rows: QuerySet[Any], callback: str) -> QuerySet[Any]:
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
    """Filter by the choices of the model field `parameter_name`; ignore any other value."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(model_admin.opts.get_field(self.parameter_name).choices)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        known = {str(choice) for choice, _ in self.lookup_choices}
        return self.narrow(queryset, value) if value in known else queryset

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(**{str(self.parameter_name): value})


class TopicFilter(ChoiceFilter):
    title, parameter_name = "topic", "topic"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(short_topic(url), short_topic(url)) for url in topics()]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(topic__in=[url for url in topics() if short_topic(url) == value])


class SubscriptionFilter(ChoiceFilter):
    """Filter by one subscription. Its page links here; the filter is hidden otherwise."""

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
        return State.choices

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
    list_filter = [ResultFilter, TestFilter, TopicFilter, SubscriptionFilter]
    ordering = ["-at"]
    fields = ["when", "host", "topic", "version", "sent", "signed", "outcome", "answer"]

    def filter_by_callback(self, rows: QuerySet[Any], callback: str) -> QuerySet[Any]:
        """Find attempts by the callback's hash, which outlives the subscription."""
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
        return _format_instant(attempt.at)

    @admin.display(description="answer")
    def answer(self, attempt: Attempt) -> str:
        return format_answer_of(attempt)


@admin.register(Verification)
class VerificationAdmin(HubList):
    list_display = ["when", "pair", "mode", "state", "tries", "answer"]
    sortable_by = ()
    list_filter = [VerificationStateFilter, ModeFilter, TopicFilter, SubscriptionFilter]
    ordering = ["-pk"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        callback = "callback" if request.user.is_superuser else "host"
        names = [callback, "topic", "mode", "requested_lease", "reason", "when"]
        return [*names, "state", "tries", "next_try", "answer", "finished_at"]

    @admin.display(description="requested at")
    def when(self, verification: Verification) -> str:
        return _format_instant(verification.requested_at)

    @admin.display(description="tried")
    def tries(self, verification: Verification) -> str:
        count = verification.attempts
        return "not yet" if not count else "once" if count == 1 else f"{count} times"

    @admin.display(description="answer")
    def answer(self, verification: Verification) -> str:
        if not verification.attempts and not verification.last_error:
            return NOTHING
        return format_answer(verification.last_status or "no answer", None, verification.last_error)

    @admin.display(description="lease")
    def requested_lease(self, verification: Verification) -> str:
        is_denial = verification.mode == Verification.Mode.DENIED
        return NOTHING if is_denial else format_duration(verification.lease_seconds)

    @admin.display(description="next try")
    def next_try(self, verification: Verification) -> str:
        is_pending = verification.state == Verification.State.PENDING
        return _format_due(verification.next_attempt_at) if is_pending else "none"


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
        # Anyone who knows a callback could pose as the hub.
        callback = "callback" if request.user.is_superuser else "host"
        deliveries = ["versions", "failures", "next_attempt", "last_result", "last_test", "logs"]
        return [
            (None, {"fields": [callback, "topic", "state", "signed"]}),
            ("Lease", {"fields": ["lease", "expires_at", "created_at"]}),
            ("Deliveries", {"fields": deliveries}),
        ]

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
        return format_answer(what, seconds, subscription.last_error, _ago(at))

    @admin.display(description="next attempt")
    def next_attempt(self, subscription: Any) -> str:
        state = state_of(subscription)
        if state == State.ORPHANED:
            return f"none: the topic is not served under {conf.get('WEBSUB_BASE_URL')}"
        if state == State.EXPIRED:
            return "none"
        if subscription.acknowledged_version >= subscription.published_version:
            return "at the next change"
        return _format_due(subscription.next_attempt_at)

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
        return format_answer_of(test, _ago(test.at)) if test else NOTHING

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
        if queryset.order_by()[: MAX_TESTS + 1].count() > MAX_TESTS:
            most = gettext("Choose at most %(count)s subscriptions at a time.")
            self.message_user(request, most % {"count": MAX_TESTS}, messages.ERROR)
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
                "across": request.POST.get("select_across", "0"),  # 1: all pages of the list.
            }
            return TemplateResponse(request, "admin/websub/subscription/remove.html", context)
        rows = _without_annotations(queryset)
        self.log_deletions(request, rows)
        count = admin_actions.remove(rows)
        if not count:
            self.message_user(request, "They are gone.", messages.INFO)
        self._report(request, count, "removed, and told so by hub.mode=denied")
        return None

    def _act(
        self,
        request: HttpRequest,
        queryset: QuerySet[Subscription],
        action: Callable[[SubscriptionQuerySet], int],
        done: str,
        nothing: str,
    ) -> None:
        """Run an action. Report how many rows it changed, and why it left out the rest."""
        chosen = queryset.order_by().count()
        count = action(_without_annotations(queryset))
        self._report(request, count, done)
        self._report(request, chosen - count, nothing, messages.INFO)

    def _report(
        self, request: HttpRequest, count: int, done: str, level: int = messages.SUCCESS
    ) -> None:
        if count:
            rows = "1 subscription" if count == 1 else f"{count:,} subscriptions"
            self.message_user(request, f"{rows}: {done}{'' if done.endswith('.') else '.'}", level)


def _without_annotations(queryset: QuerySet[Subscription]) -> SubscriptionQuerySet:
    return Subscription.objects.filter(pk__in=queryset.order_by().values("pk"))


# --- Texts ----------------------------------------------------------------------------------------


def is_key(text: str) -> bool:
    """Whether a text can be a primary key."""
    return text.isascii() and text.isdecimal() and len(text) < 19


def short_topic(url: str) -> str:
    """Return the topic's path, or its full URL if it is not under `WEBSUB_BASE_URL`."""
    return url.removeprefix(conf.get("WEBSUB_BASE_URL"))


def format_answer_of(attempt: Attempt, when: str = "") -> SafeString:
    is_ours = attempt.result == Attempt.Result.HUB_ERROR
    nothing = "not sent" if is_ours else "no answer"
    return format_answer(attempt.status or nothing, attempt.seconds, attempt.error, when)


def format_answer(what: int | str, seconds: float | None, error: str, when: str = "") -> SafeString:
    """Format status and duration of an answer, with its error below."""
    head = str(what) if seconds is None else f"{what} after {format_duration(seconds)}"
    head = f"{head}, {when}" if when else head
    tail = format_html('<div class="hub-small">{}</div>', error) if error else ""
    return format_html("{}{}", head, tail)


def _format_instant(at: dt.datetime) -> str:
    """Format a time to the second, with its zone, to find it in logs of other programs."""
    return date_format(timezone.localtime(at), "Y-m-d H:i:s T")


def _format_due(at: dt.datetime) -> str:
    wait = (at - timezone.now()).total_seconds()
    return f"in {format_duration(wait)}" if wait > 0 else "due now"


def _ago(at: dt.datetime) -> str:
    seconds = (timezone.now() - at).total_seconds()
    return f"{format_duration(seconds)} ago" if seconds >= 1 else "just now"
