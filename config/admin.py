"""The administration as a whole: its name, its door, and its pages in the order of their use."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ERROR_FLAG
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from core.admin.base import is_key
from core.admin.dashboard import dashboard

# The places of the navigation with their pages; further models stand under the last one.
PLACES = {
    "Inbox": ("reviews.Review", "reviews.SavedAnswer"),
    "Import": ("imports.ImportBatch", "imports.ConfirmedShape"),
    "Sources": ("sources.SourceConnection", "sources.SourceRun"),
    "Website": (),
    "Insights": ("insights.InsightText", "insights.ReviewAnalysis", "insights.Taxonomy"),
    "Settings": (
        "reviews.Business",
        "reviews.Technician",
        "reviews.Service",
        "reviews.ServiceArea",
        "auth.User",
        "auth.Group",
        "reviews.DeletedReview",
        "reviews.ForgottenAuthor",
    ),
    "Advanced": (),
}
PLACE_OF = {label: place for place, labels in PLACES.items() for label in labels}
ORDER = [*PLACE_OF]


class SignInForm(AdminAuthenticationForm):
    """Django's, which leaves the length of a user name to the browser; the record of failed
    attempts has room for no more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        longest = User._meta.get_field("username").max_length
        self.fields["username"].validators.append(MaxLengthValidator(longest or 150))


View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class Administration(admin.AdminSite):
    site_header = site_title = index_title = "Reviews"
    login_form = SignInForm

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002  (Django's)
        """Refuse filters by a regular expression, which can keep a process busy for hours.

        Selected keys that no row can have are answered like a bad filter, with a redirect.
        """
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if any(lookup.endswith("regex") for lookup in request.GET):
                raise DisallowedModelAdminLookup("Lists are not filtered by regular expressions.")
            if not all(map(is_key, request.POST.getlist(ACTION_CHECKBOX_NAME))):
                return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
            return inner(request, *args, **kwargs)

        return cast("View", guarded)

    def get_urls(self) -> list[Any]:
        from embed.admin import website  # noqa: PLC0415  (needs the models)
        from reviews.admin import inbox  # noqa: PLC0415

        page = path("website/", self.admin_view(website), name="embed_website")
        return [page, *inbox.urls(self), *super().get_urls()]

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Django's, with the work that waits for this user, and figures."""
        return super().index(request, {"dashboard": dashboard(request), **(extra_context or {})})

    @method_decorator(never_cache)
    @login_not_required
    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Django's, with the view that asks for the second step."""
        from sign_in.views import SignInView  # noqa: PLC0415  (needs the models)

        index = reverse("admin:index", current_app=self.name)
        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(index)
        context = {
            **self.each_context(request),
            "title": "Log in",
            "subtitle": None,
            "app_path": request.get_full_path(),
            "username": request.user.get_username(),
            **({} if REDIRECT_FIELD_NAME in {*request.GET, *request.POST} else {"next": index}),
            **(extra_context or {}),
        }
        view = SignInView.as_view(
            extra_context=context,
            authentication_form=self.login_form,
            template_name="admin/login.html",
        )
        return cast("HttpResponse", view(request))

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Group the pages by what people come for; the pages of one app stay as Django has them."""
        apps: list[dict[str, Any]] = super().get_app_list(request, app_label)
        if app_label:
            return apps
        pages: dict[str, list[dict[str, Any]]] = {place: [] for place in PLACES}
        for page in sorted((page for app in apps for page in app["models"]), key=_rank):
            pages[PLACE_OF.get(page["model"]._meta.label, "Advanced")].append(page)
        if request.user.has_perm("reviews.view_review"):
            url = reverse("admin:embed_website", current_app=self.name)
            website = {"name": "On your website", "object_name": "Website", "admin_url": url}
            pages["Website"] = [{**website, "add_url": None, "view_only": True}]
            url = reverse("admin:inbox", current_app=self.name)
            inbox = {"name": _("Inbox"), "object_name": "Inbox", "admin_url": url}
            pages["Inbox"] = [{**inbox, "add_url": None, "view_only": True}, *pages["Inbox"]]
        return [
            {
                "name": place,
                "app_label": place.lower(),
                "app_url": models[0]["admin_url"],
                "has_module_perms": True,
                "models": models,
            }
            for place, models in pages.items()
            if models
        ]


def _rank(page: dict[str, Any]) -> int:
    label = page["model"]._meta.label
    return ORDER.index(label) if label in ORDER else len(ORDER)
