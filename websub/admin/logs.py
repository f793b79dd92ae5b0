"""Logs of delivery attempts and verifications."""

import datetime as dt
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format

from websub import formatting
from websub.admin.lists import (
    NOTHING,
    ChoiceFilter,
    FieldFilter,
    HubList,
    OfSubscriptionFilter,
    TopicFilter,
    answer_of,
    attempt_answer,
    is_superuser,
)
from websub.models import Attempt, Verification, callback_hash


class ResultFilter(FieldFilter):
    title = parameter_name = "result"


class StateFilter(FieldFilter):
    title = parameter_name = "state"


class ModeFilter(FieldFilter):
    title = parameter_name = "mode"


class TestFilter(ChoiceFilter):
    title, parameter_name = "kind", "test"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", "Deliveries"), ("yes", "Test deliveries")]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(is_test=value == "yes")


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
        return NOTHING if attempt.sent_bytes is None else formatting.format_size(attempt.sent_bytes)

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
    list_filter = [StateFilter, ModeFilter, TopicFilter, OfSubscriptionFilter]
    ordering = ["-pk"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        callback = "callback" if is_superuser(request) else "host"
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
        return NOTHING if is_denial else formatting.format_duration(verification.lease_seconds)

    @admin.display(description="next try")
    def next_try(self, verification: Verification) -> str:
        if verification.state != Verification.State.PENDING:
            return "none"
        wait = (verification.next_attempt_at - timezone.now()).total_seconds()
        return f"in {formatting.format_duration(wait)}" if wait > 0 else "due now"


def _instant(at: dt.datetime) -> str:
    """To the second, with its zone: log lines of other programs are found by it."""
    return date_format(timezone.localtime(at), "Y-m-d H:i:s T")
