"""Logs of the service's own work: runs, and requests to a language model."""

from django.contrib import admin

from core.admin.base import ReadOnlyAdmin
from insights.models import AnalysisRun, ChatDay


@admin.register(AnalysisRun)
class AnalysisRunAdmin(ReadOnlyAdmin):
    list_display = ["started_at", "reason", "progress", "finished_at", "taxonomy", "model", "error"]

    @admin.display(description="progress")
    def progress(self, run: AnalysisRun) -> str:
        share = 100 * run.done // run.total if run.total else 100
        return f"{run.done:,} of {run.total:,} ({share} %)"


@admin.register(ChatDay)
class ChatDayAdmin(ReadOnlyAdmin):
    """Requests to a language model by day, the budget, and fallbacks to the rules."""

    list_display = ["day", "reviews", "tokens", "fallbacks"]
