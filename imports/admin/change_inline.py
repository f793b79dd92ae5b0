"""Inline list of the imports that changed a review."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from imports.models import ImportChange
from reviews.admin import ReviewAdmin

if TYPE_CHECKING:
    TabularInline = admin.TabularInline[Any, Any]
else:
    TabularInline = admin.TabularInline


class ImportChangeInline(TabularInline):
    """Imports that changed a review, with old and new values."""

    model = ImportChange
    verbose_name_plural = _("changed by imports")
    fields = ["batch", "applied_at", "row", "changes"]
    readonly_fields = ["batch", "applied_at", "row", "changes"]
    ordering = ["-pk"]
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportChange]:
        return super().get_queryset(request).select_related("batch")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # The permission for the review suffices.

    @admin.display(description=_("applied at"))
    def applied_at(self, change: ImportChange) -> str:
        at = change.batch.applied_at
        return date_format(timezone.localtime(at), "DATETIME_FORMAT") if at else gettext("not yet")

    @admin.display(description=_("changes"))
    def changes(self, change: ImportChange) -> str:
        if change.pk is None:
            return ""  # An invalid form may have rows without a change.
        fields = [name for name in change.after if name in change.before and name in SHOWN_CHANGES]
        return "; ".join(
            f"{name}: {_short(change.before[name])} → {_short(change.after[name])}"
            for name in fields
        )


SHOWN_CHANGES = {
    *("rating", "author", "date", "text", "verified", "hidden", "source_url", "photos"),
    *("author_avatar_url", "reply_text", "reply_date", "translated_text", "text_language"),
    *("named_technicians", "named_services"),
}


def _short(value: Any) -> str:
    return Truncator(gettext("none") if value in (None, "", []) else str(value)).chars(60)


ReviewAdmin.inlines = [*ReviewAdmin.inlines, ImportChangeInline]
