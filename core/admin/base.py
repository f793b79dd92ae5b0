"""Base classes of model admins, list filters and pagination."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest

from core.admin.forms import TextField, WebAddressField

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    AnyPaginator = Paginator[Any]
else:
    ModelAdmin, AnyPaginator = admin.ModelAdmin, Paginator

# --- Lists ----------------------------------------------------------------------------------------


class KeyPaginator(AnyPaginator):
    """Paginator that sorts keys instead of whole rows.

    The last page of 200,000 reviews would otherwise take more than a minute.
    """

    def page(self, number: int | str) -> Page[Any]:
        page = super().page(number)
        keys = list(page.object_list.values_list("pk", flat=True))  # type: ignore[attr-defined]
        page.object_list = self.object_list.filter(pk__in=keys)  # type: ignore[attr-defined]
        return page


Choices = Sequence[tuple[str, Any]]  # Values and labels.


def choice_filter(
    name: str,
    choices: Choices | Callable[[], Choices],
    narrow: Callable[[QuerySet[Any], str], QuerySet[Any]],
    *,
    title: Any = "",
) -> type[admin.SimpleListFilter]:
    """Create a list filter with these values; any other value filters nothing."""

    class ChoiceFilter(admin.SimpleListFilter):
        parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
            return choices() if callable(choices) else choices

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            value = self.value()
            known = {str(choice) for choice, _ in self.lookup_choices}
            return narrow(queryset, value) if value in known else queryset

    ChoiceFilter.title = title or name
    return ChoiceFilter


def is_key(text: str) -> bool:
    """Whether a text can be a primary key."""
    return text.isascii() and text.isdecimal() and len(text) < 19


# --- Rows -----------------------------------------------------------------------------------------


class ReadOnlyAdmin(ModelAdmin):
    """Admin of rows that people can only view."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class EditableModelAdmin(ModelAdmin):
    """Admin of rows that people edit, with fields for texts and web addresses."""

    list_per_page = 50
    formfield_overrides = {
        models.CharField: {"form_class": TextField},
        models.TextField: {"form_class": TextField},
        models.URLField: {"form_class": WebAddressField, "assume_scheme": "https"},
    }


class SlugAdmin(EditableModelAdmin):
    """Admin of rows with a permanent slug, made from their name."""

    title = "name"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [*super().get_readonly_fields(request, obj), *(["slug"] if obj else [])]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else {"slug": (self.title,)}


# --- Users ----------------------------------------------------------------------------------------


def signed_in_user(request: HttpRequest) -> User | None:
    """Return the signed-in user, for a foreign key of a row."""
    return request.user if isinstance(request.user, User) else None


def is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)
