"""The list of subscriptions, with an action for each thing an administrator may do."""

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import BigIntegerField, Case, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext

from websub import admin_actions, conf, formatting
from websub.admin.lists import (
    NOTHING,
    ChoiceFilter,
    HubList,
    TopicFilter,
    answer_of,
    attempt_answer,
    is_superuser,
)
from websub.models import Attempt, Subscription, SubscriptionQuerySet
from websub.topics import topics, versions

ACTED_ON = 200  # How many tests are sent at a time.
REST = ("last_result", "last_test", "logs")
NOTHING_TO_SEND = "nothing is sent: their lease is over, or their topic is not served."

State = Subscription.State
OF_SERVED = {
    State.ACTIVE: Q(consecutive_failures=0),
    State.FAILING: Q(consecutive_failures__gt=0),
}


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
        return rows.filter(OF_SERVED[State(value)], is_served, expires_at__gt=now)


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
        callback = "callback" if is_superuser(request) else "host"
        return [
            (None, {"fields": [callback, "topic", "state", "signed"]}),
            ("Lease", {"fields": ["lease", "expires_at", "created_at"]}),
            ("Deliveries", {"fields": ["versions", "failures", "next_attempt", *REST]}),
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
        return f"{formatting.format_duration(left)} left"

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
        return f"in {formatting.format_duration(wait)}" if wait > 0 else "due now"

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
        nothing: str = "",
    ) -> None:
        """Act on the chosen rows; show how many it holds for, and why not for the others."""
        chosen = queryset.order_by().count()
        count = action(_plain(queryset))
        self._tell(request, count, done)
        if nothing:
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


def _ago(at: dt.datetime) -> str:
    seconds = (timezone.now() - at).total_seconds()
    return f"{formatting.format_duration(seconds)} ago" if seconds >= 1 else "just now"
