"""Admin of runs: their results, and the decisions on waiting ones."""

from collections.abc import Callable

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from core.admin.base import ReadOnlyAdmin, signed_in_user
from imports.batch import BatchNotReady
from imports.templatetags.sentences import translated
from sources import services
from sources.models import SourceRun
from sources.selectors import change_summary


@admin.register(SourceRun)
class SourceRunAdmin(ReadOnlyAdmin):
    list_display = ("connection", "state", "created_at", "outcome", "why", "report")
    list_filter = ("state", "connection")
    list_select_related = ("connection", "batch")
    fields = (
        *("connection", "state", "trigger", "created_at", "finished_at", "file_name"),
        *("outcome", "why", "report", "decided_by"),
    )
    readonly_fields = ("outcome", "why", "report")
    actions = ("approve", "reject")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SourceRun]:
        return super().get_queryset(request).defer("content")

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Allow decisions on runs to users who may change sources."""
        return bool(request.user.has_perm("sources.change_sourceconnection"))

    @admin.display(description=_("results"))
    def outcome(self, run: SourceRun) -> str:
        return change_summary(run.new, run.changed, run.hidden)

    @admin.display(description=_("reason"), empty_value="-")
    def why(self, run: SourceRun) -> str:
        return translated(" ".join([*run.reasons, run.error]).strip())

    @admin.display(description=_("import"))
    def report(self, run: SourceRun) -> str:
        """A link to the import, or to the run itself if it has none."""
        shown = run.batch or (run.merged_into.batch if run.merged_into else None) or run
        page = reverse(f"admin:{shown._meta.label_lower.replace('.', '_')}_change", args=[shown.pk])
        return format_html('<a href="{}">{}</a>', page, shown)

    @admin.action(description=_("Approve"), permissions=["decide"])
    def approve(self, request: HttpRequest, rows: QuerySet[SourceRun]) -> None:
        for run in rows:
            decide(request, run, services.approve)

    @admin.action(description=_("Reject"), permissions=["decide"])
    def reject(self, request: HttpRequest, rows: QuerySet[SourceRun]) -> None:
        for run in rows:
            decide(request, run, services.reject)


def decide(request: HttpRequest, run: SourceRun, decision: Callable[..., None]) -> bool:
    """Approve or reject a run. Return False with a message if it waits for no decision."""
    try:
        decision(run, by=signed_in_user(request))
    except (services.RunNotWaiting, BatchNotReady) as refused:
        messages.warning(request, f"{run}: {refused}")
        return False
    return True
