from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from core.admin.base import is_key

if TYPE_CHECKING:
    BaseAdmin = admin.ModelAdmin[Any]
else:
    BaseAdmin = admin.ModelAdmin


class CustomPageAdmin(BaseAdmin):
    """Base class with custom pages in place of the usual forms."""

    actions = None

    class Media:
        css = {"all": ["insights/admin.css"]}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def page(self, name: str, view: Callable[..., HttpResponse], pattern: str) -> URLPattern:
        name = f"insights_{self.opts.model_name}_{name}"
        return path(pattern, self.admin_site.admin_view(view), name=name)

    def render(self, request: HttpRequest, page: str, **context: Any) -> TemplateResponse:
        shown = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "media": self.media,
            "has_add_permission": self.has_add_permission(request),
            "has_change_permission": self.has_change_permission(request),
        }
        template = f"admin/insights/{self.opts.model_name}/{page}.html"
        return TemplateResponse(request, template, shown | context)

    def to_list(self) -> HttpResponseRedirect:
        return HttpResponseRedirect(reverse(f"admin:insights_{self.opts.model_name}_changelist"))

    def require(self, request: HttpRequest, right: str) -> None:
        """Raise `PermissionDenied` unless the user may `view`, `add` or `change` rows."""
        if not getattr(self, f"has_{right}_permission")(request):
            raise PermissionDenied


def find_or_404(rows: QuerySet[Any], pk: str | int) -> Any:
    """Return the row with a key from an address. Raises `Http404`."""
    if not is_key(str(pk)):
        raise Http404
    return get_object_or_404(rows, pk=pk)
