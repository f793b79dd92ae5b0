"""Confirmed layouts of files: looked at, and taken back."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from core.admin.base import ReadOnlyAdmin
from imports.models import ConfirmedShape


@admin.register(ConfirmedShape)
class ConfirmedShapeAdmin(ReadOnlyAdmin):
    """Meanings of columns that were confirmed; deleting one lets imports ask again."""

    list_display = ["file_name", "columns", "confirmed_by", "confirmed_at"]
    list_select_related = ["confirmed_by"]
    search_fields = ["file_name"]
    fields = ["file_name", "meaning", "confirmed_by", "confirmed_at"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("imports.delete_confirmedshape")

    @admin.display(description="columns")
    def columns(self, shape: ConfirmedShape) -> str:
        return ", ".join(shape.confirmation["columns"])

    @admin.display(description="meaning")
    def meaning(self, shape: ConfirmedShape) -> str:
        known = shape.confirmation
        lines = [f"{name}: {field or 'not read'}" for name, field in known["columns"].items()]
        for name, values in known["decisions"].items():
            said = (
                f"{value or '(blank)'} {'may be published' if is_public else 'is left out'}"
                for value, is_public in values.items()
            )
            lines.append(f"{name} decides: {', '.join(said)}")
        if known["best_rating"] is not None:
            lines.append(f"Stars: from {known['worst_rating']} to {known['best_rating']}")
        lines += [
            f"Place {name}: {'ours' if is_ours else 'another business'}"
            for name, is_ours in known["places"].items()
        ]
        if known["source"]:
            lines.append(f"Source where the file names none: {known['source']}")
        return "\n".join(lines)
