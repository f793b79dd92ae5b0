"""Who follows what, and what an administrator can do about it: not by forms, by actions."""

import datetime as dt
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import BigIntegerField, Case, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from reviews.admin.lists import ChoiceFilter
from reviews.admin.workplace import is_superuser
from websub import spans, upkeep
from websub.admin.lists import NOTHING, HubList, TopicFilter, say_answer
from websub.editions import published_versions
from websub.models import FAILING, SET_ASIDE, Subscription, SubscriptionQuerySet

ACTED_ON = 200  # How many rows one action takes.


OF_LIVING = {"active": Q(misses=0, set_aside=""), "failing": FAILING, "set aside": SET_ASIDE}


class StateFilter(ChoiceFilter):
    title, parameter_name = "state", "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(state, state.capitalize()) for state in (*OF_LIVING, "expired")]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        now = timezone.now()
        if value == "expired":
            return rows.filter(expires_at__lte=now)
        return rows.filter(OF_LIVING[value], expires_at__gt=now)


def state_of(subscription: Subscription) -> str:
    """In a word what matters most about it."""
    if subscription.expires_at <= timezone.now():
        return "expired"
    if subscription.set_aside:
        return "set aside"
    return "failing" if subscription.misses else "active"


@admin.register(Subscription)
class SubscriptionAdmin(HubList):
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
        callback = "callback" if is_superuser(request) else "host"
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
        answer = say_answer(subscription.last_status or nothing, seconds, subscription.last_error)
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
        return bool(request.user.has_perm("websub.change_subscription"))

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("websub.delete_subscription"))

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


def _ago(at: dt.datetime) -> str:
    seconds = (timezone.now() - at).total_seconds()
    return f"{spans.say(seconds)} ago" if seconds >= 1 else "just now"
