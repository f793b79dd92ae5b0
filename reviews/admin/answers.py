"""Stored answers for imports: own places, and the meanings of statuses and columns."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from reviews.models import ImportAnswer

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[ImportAnswer]
else:
    ModelAdmin = admin.ModelAdmin


@admin.register(ImportAnswer)
class ImportAnswerAdmin(ModelAdmin):
    """Answers are looked at and taken back; an import asks again what is taken back."""

    list_display = ["kind", "subject", "answer", "answered_at"]
    list_filter = ["kind", "answer"]
    search_fields = ["subject"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
