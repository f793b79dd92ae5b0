"""Lists of the admin and their filters, for every app that has some."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ERROR_FLAG
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class SturdyList(ModelAdmin):
    """A list of rows with numbers for keys. What no page of ours sends is answered like a bad
    filter: NUL, which PostgreSQL refuses wherever it occurs, and chosen rows that cannot exist."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        asked = [value for _, values in request.GET.lists() for value in values]
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if any("\x00" in value for value in asked) or not all(map(is_key, chosen)):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        return super().changelist_view(request, extra_context)


def is_key(text: str) -> bool:
    """Whether a row may have this number."""
    return text.isascii() and text.isdecimal() and len(text) < 19


class ChoiceFilter(admin.SimpleListFilter):
    """A filter that knows all its values, so that any other is simply no filter."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        known = {str(choice) for choice, _ in self.lookup_choices}
        return self.narrow(queryset, value) if value in known else queryset

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The rows of one of the filter's values; each filter says which."""
        raise NotImplementedError
