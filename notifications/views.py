"""Views to unsubscribe, to reset a password, and to show the digest."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views as auth
from django.contrib.auth.forms import PasswordResetForm
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.views.generic import View

from notifications import services
from notifications.digest import Digest, digest_of
from notifications.mail import UNSUBSCRIBE
from notifications.picture import digest_picture
from reviews.selectors import get_business, today
from website.languages import language_of
from website.templatetags.review_tags import business_name


class UnsubscribeView(View):
    """Unsubscribe a recipient by one POST (RFC 8058). A GET asks for confirmation."""

    http_method_names = ["get", "post", "options"]

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        return _page(request, is_known=_recipient(token) is not None)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        recipient = _recipient(token)
        if recipient is not None:
            services.unsubscribe(recipient)
        return _page(request, is_done=recipient is not None)


def _recipient(token: str) -> int | None:
    try:
        return int(signing.loads(token, salt=UNSUBSCRIBE))
    except (signing.BadSignature, TypeError, ValueError):
        return None


def _page(request: HttpRequest, *, is_known: bool = False, is_done: bool = False) -> HttpResponse:
    context = {"is_known": is_known, "is_done": is_done}
    status = 200 if is_known or is_done else 404
    with translation.override(language_of(get_business())):  # The language of the mail.
        response = render(request, "notifications/unsubscribe.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


# --- A forgotten password -------------------------------------------------------------------------


class QueuedPasswordResetForm(PasswordResetForm):
    """Django's form, but a worker searches the user with this address."""

    def save(self, *args: Any, **kwargs: Any) -> None:
        services.request_password(self.cleaned_data["email"])


class MailRequiredMixin(View):
    """An admin page that answers 404 while e-mail is off."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.EMAIL_ENABLED:
            raise Http404
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]
        return admin.site.each_context(self.request) | context


class PasswordResetView(MailRequiredMixin, auth.PasswordResetView):
    form_class = QueuedPasswordResetForm
    template_name = "registration/password_reset_form.html"


class PasswordResetDoneView(MailRequiredMixin, auth.PasswordResetDoneView):
    pass


class PasswordResetConfirmView(MailRequiredMixin, auth.PasswordResetConfirmView):
    """Django's view. The second factor is required at the sign-in that follows."""


class PasswordResetCompleteView(MailRequiredMixin, auth.PasswordResetCompleteView):
    pass


# --- The digest -----------------------------------------------------------------------------------

PERIODS = ((1, _("Yesterday")), (7, _("7 days")), (30, _("30 days")))


def digest(request: HttpRequest) -> HttpResponse:
    shown = _chosen(request)
    context = admin.site.each_context(request) | {
        "title": _("Digest"),
        "digest": shown,
        "days": shown.days,
        "periods": PERIODS,
    }
    return render(request, "admin/notifications/digest.html", context)


def picture(request: HttpRequest) -> HttpResponse:
    png = digest_picture(_chosen(request), business_name(get_business()))
    return HttpResponse(png, content_type="image/png")


def _chosen(request: HttpRequest) -> Digest:
    if not request.user.has_perm("reviews.view_review"):
        raise PermissionDenied
    chosen = request.GET.get("days", "")
    days = int(chosen) if chosen in {str(value) for value, _label in PERIODS} else 7
    return digest_of(today(), days)
