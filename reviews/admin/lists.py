"""Lists of the admin and their filters, for every app that has some."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    AnyPaginator = Paginator[Any]
else:
    ModelAdmin, AnyPaginator = admin.ModelAdmin, Paginator


class KeyPaginator(AnyPaginator):
    """Finds a page by its keys alone: whole rows would be sorted up to the last page's, a minute
    and more of 200,000 reviews."""

    def page(self, number: int | str) -> Page[Any]:
        page = super().page(number)
        keys = list(page.object_list.values_list("pk", flat=True))  # type: ignore[attr-defined]
        page.object_list = self.object_list.filter(pk__in=keys)  # type: ignore[attr-defined]
        return page


class SturdyList(ModelAdmin):
    """A list of rows with numbers for keys: chosen rows that cannot exist are answered like a bad
    filter."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not all(map(is_key, request.POST.getlist(ACTION_CHECKBOX_NAME))):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        return super().changelist_view(request, extra_context)


class ReadOnlyList(SturdyList):
    """Rows that the service writes, for people to look at."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


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
