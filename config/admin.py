"""The admin site: its sign-in, its front page, and its navigation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from core.admin.base import is_key
from core.admin.dashboard import dashboard


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the navigation other than a list of a model."""

    name: str | Promise
    url_name: str
    permission: str = ""  # Empty for all users of the admin.


# Sections of the navigation with their pages. All other models are listed under “Advanced”.
SECTIONS: tuple[tuple[str | Promise, tuple[str | Page, ...]], ...] = (
    (
        _("Inbox"),
        (
            Page(_("Inbox"), "admin:inbox", "reviews.view_review"),
            "reviews.Review",
            "reviews.SavedAnswer",
        ),
    ),
    (_("Import"), ("imports.ImportBatch", "imports.ConfirmedShape")),
    (_("Sources"), ("sources.SourceConnection", "sources.SourceRun")),
    (
        _("Website"),
        (Page(_("Widgets and QR codes"), "admin:embed_website", "reviews.view_review"),),
    ),
    (
        _("Insights"),
        (
            Page(_("Digest"), "notifications_digest", "reviews.view_review"),
            "insights.InsightText",
            "insights.ReviewAnalysis",
            "insights.Taxonomy",
        ),
    ),
    (
        _("Settings"),
        (
            "reviews.Business",
            "reviews.Technician",
            "reviews.Service",
            "reviews.ServiceArea",
            "notifications.Recipient",
            "notifications.Endpoint",
            "notifications.Message",
            "auth.User",
            "auth.Group",
            Page(_("Your sign-in"), "mfa_index"),
            Page(_("Setup in five steps"), "admin:setup", "reviews.change_business"),
            "reviews.DeletedReview",
            "reviews.ForgottenAuthor",
        ),
    ),
)
ADVANCED = _("Advanced")
IN_SECTIONS = {entry for _name, entries in SECTIONS for entry in entries}


class SignInForm(AdminAuthenticationForm):
    """Django's form, which also checks the length of the user name on the server.

    The record of failed attempts cannot store a longer name.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        longest = User._meta.get_field("username").max_length
        self.fields["username"].validators.append(MaxLengthValidator(longest or 150))


View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class Administration(admin.AdminSite):
    site_header = site_title = "Reviews"
    index_title = _("Start")
    login_form = SignInForm
    enable_nav_sidebar = False  # The sections are at the top of each page.

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002  (Django's)
        """Refuse filters by a regular expression, which can keep a process busy for hours.

        Invalid keys of selected rows redirect like an invalid filter.
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
        from config import setup  # noqa: PLC0415  (needs the models)
        from embed.admin import website  # noqa: PLC0415  (needs the models)
        from reviews.admin import inbox  # noqa: PLC0415

        page = path("website/", self.admin_view(website), name="embed_website")
        return [page, *inbox.urls(self), *setup.urls(), *super().get_urls()]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Add the step of the setup that the user has interrupted."""
        context: dict[str, Any] = super().each_context(request)
        return context | {"setup_step": request.session.get("setup", "")}

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Add tasks and figures for this user to the front page."""
        request.session.pop("setup", None)
        return super().index(request, {"dashboard": dashboard(request), **(extra_context or {})})

    @method_decorator(never_cache)
    @login_not_required
    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Sign in by `SignInView`, which asks for the second step."""
        from config.setup import is_offered  # noqa: PLC0415  (needs the models)
        from sign_in.views import SignInView  # noqa: PLC0415

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
        answer = cast("HttpResponse", view(request))
        if getattr(answer, "url", "") == index and is_offered(request):
            return HttpResponseRedirect(reverse("admin:setup", current_app=self.name))
        return answer

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Group the pages by section. The pages of one app stay as Django lists them."""
        apps: list[dict[str, Any]] = super().get_app_list(request, app_label)
        if app_label:
            return apps
        models = {page["model"]._meta.label: page for app in apps for page in app["models"]}
        sections = [
            (name, [page for each in entries if (page := self._page(request, each, models))])
            for name, entries in SECTIONS
        ]
        if request.user.is_superuser:
            others = [page for label, page in models.items() if label not in IN_SECTIONS]
            sections.append((ADVANCED, others))
        for _name, pages in sections:
            for page in pages:
                page["admin_url"] = page["admin_url"] or page["add_url"]
                page["is_current"] = request.path.startswith(page["admin_url"])
        return [
            {
                "name": name,
                "app_label": str(name).lower(),
                "app_url": pages[0]["admin_url"],
                "has_module_perms": True,
                "models": pages,
                "is_current": any(page["is_current"] for page in pages),
            }
            for name, pages in sections
            if pages
        ]

    def _page(
        self, request: HttpRequest, entry: str | Page, models: Mapping[str, dict[str, Any]]
    ) -> dict[str, Any] | None:
        """Return an entry of the navigation, or None if the user may not open it."""
        if isinstance(entry, str):
            return models.get(entry)
        if entry.permission and not request.user.has_perm(entry.permission):
            return None
        url = reverse(entry.url_name, current_app=self.name)
        return {"name": entry.name, "object_name": "", "admin_url": url, "view_only": True}
