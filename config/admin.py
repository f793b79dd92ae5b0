"""The administration as a whole: its name, its door, and its pages in the order of their use."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import User
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

PAGES = (
    "reviews.Review",
    "reviews.ImportBatch",
    "reviews.Business",
    "reviews.Technician",
    "reviews.Service",
    "reviews.ServiceArea",
    "insights.ReviewAnalysis",
    "insights.Taxonomy",
    "insights.InsightText",
    "insights.AnalysisRun",
    "insights.ChatDay",
    "websub.Subscription",
    "websub.Verification",
    "websub.Attempt",
    "auth.User",
    "auth.Group",
    "axes.AccessAttempt",
    "axes.AccessFailureLog",
    "axes.AccessLog",
)


class SignInForm(AdminAuthenticationForm):
    """Django's, which leaves the length of a user name to the browser; the record of failed
    attempts has room for no more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        longest = User._meta.get_field("username").max_length  # noqa: SLF001  (Django's public API.)
        self.fields["username"].validators.append(MaxLengthValidator(longest or 150))


def locked_out(
    request: HttpRequest, _response: HttpResponse | None, _credentials: dict[str, Any] | None
) -> HttpResponse:
    """Too many wrong passwords: when to come back, on a page and as a header."""
    seconds = int(settings.AXES_COOLOFF_TIME * 3600)
    context = admin.site.each_context(request) | {
        "minutes": max(1, -(-seconds // 60)),
        "failures": settings.AXES_FAILURE_LIMIT,
    }
    response = render(request, "admin/locked_out.html", context, status=429)
    response["Retry-After"] = str(seconds)
    return response


class Administration(admin.AdminSite):
    site_header = site_title = index_title = "Reviews"
    login_form = SignInForm

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """What an administrator does most comes first, not what the alphabet begins with."""
        apps: list[Any] = super().get_app_list(request, app_label)
        for app in apps:
            app["models"].sort(key=_place)
        return sorted(apps, key=lambda app: _place(app["models"][0]))


def _place(page: dict[str, Any]) -> int:
    return PAGES.index(page["model"]._meta.label)  # noqa: SLF001  (Django's public API.)
