"""Administration of confirmed file layouts."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.base import ReadOnlyAdmin
from imports.models import ConfirmedShape


@admin.register(ConfirmedShape)
class ConfirmedShapeAdmin(ReadOnlyAdmin):
    """Read-only list of confirmed layouts; imports ask again about deleted ones."""

    list_display = ["file_name", "columns", "confirmed_by", "confirmed_at"]
    list_select_related = ["confirmed_by"]
    search_fields = ["file_name"]
    fields = ["file_name", "meaning", "confirmed_by", "confirmed_at"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("imports.delete_confirmedshape")

    @admin.display(description=_("columns"))
    def columns(self, shape: ConfirmedShape) -> str:
        return ", ".join(shape.confirmation["columns"])

    @admin.display(description=_("meaning"))
    def meaning(self, shape: ConfirmedShape) -> str:
        known = shape.confirmation
        unread = gettext("not read")
        lines = [f"{name}: {field or unread}" for name, field in known["columns"].items()]
        for name, values in known["decisions"].items():
            decisions = (
                (gettext("%s may be published") if is_public else gettext("%s is left out"))
                % (value or gettext("(blank)"))
                for value, is_public in values.items()
            )
            listed = {"column": name, "values": ", ".join(decisions)}
            lines.append(gettext("%(column)s decides: %(values)s") % listed)
        if known["best_rating"] is not None:
            scale = {"worst": known["worst_rating"], "best": known["best_rating"]}
            lines.append(gettext("Stars: from %(worst)s to %(best)s") % scale)
        lines += [
            (
                gettext("Place %s: our business")
                if is_ours
                else gettext("Place %s: another business")
            )
            % name
            for name, is_ours in known["places"].items()
        ]
        if known["source"]:
            lines.append(gettext("Source where the file names none: %s") % known["source"])
        return "\n".join(lines)
