"""What the service has noted of its own work."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from insights.admin.workshop import BaseAdmin
from insights.models import AnalysisRun, ChatDay


class Journal(BaseAdmin):
    """What the service has noted; nobody writes it by hand."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(AnalysisRun)
class AnalysisRunAdmin(Journal):
    list_display = ["started_at", "reason", "progress", "finished_at", "taxonomy", "model", "error"]

    @admin.display(description="progress")
    def progress(self, run: AnalysisRun) -> str:
        share = 100 * run.done // run.total if run.total else 100
        return f"{run.done:,} of {run.total:,} ({share} %)"


@admin.register(ChatDay)
class ChatDayAdmin(Journal):
    """What a language model was asked, beside the budget, and how often the rules stood in."""

    list_display = ["day", "reviews", "tokens", "fallbacks"]
