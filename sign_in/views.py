"""Views of the sign-in with its second step, of passwords, and of sessions."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.decorators import reauthentication_required
from allauth.account.models import Login
from allauth.account.utils import perform_login
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.forms import AdminPasswordChangeForm
from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import Resolver404, resolve, reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

SECOND_FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
NO_TARGETS = {"login", "logout", "account_login", "account_logout", "mfa_authenticate"}


def has_second_factor(user: User | AnonymousUser) -> bool:
    """Whether the user has an authenticator app or a passkey."""
    return bool(is_mfa_enabled(user, SECOND_FACTORS))


class SignInView(LoginView):
    """Django's view, with the second step for users who have one."""

    def form_valid(self, form: Any) -> HttpResponse:
        login = Login(user=form.get_user(), redirect_url=self.get_success_url())
        response: HttpResponse = perform_login(
            self.request, login.user, email_verification="none", redirect_url=login.redirect_url
        )
        return response

    def get_success_url(self) -> str:
        """Return the requested page, or the index if there is no such page."""
        url = super().get_success_url()
        return url if _is_page(url) else reverse("admin:index")


def _is_page(url: str) -> bool:
    try:
        match = resolve(urlsplit(url).path)
    except (Resolver404, ValueError):
        return False
    # The catch-all view of the admin site has no name.
    return match.url_name is not None and match.url_name not in NO_TARGETS


class CountedPasswordChangeForm(AdminPasswordChangeForm):
    """Django's form, but a wrong old password counts as a failed sign-in."""

    def clean_old_password(self) -> str:
        password: str = self.cleaned_data["old_password"]
        name = self.user.get_username()
        if authenticate(context.request, username=name, password=password) != self.user:
            raise ValidationError(
                self.error_messages["password_incorrect"], code="password_incorrect"
            )
        return password


class ChangePasswordView(PasswordChangeView):
    form_class = CountedPasswordChangeForm
    success_url = reverse_lazy("admin:password_change_done")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return admin.site.each_context(self.request) | super().get_context_data(**kwargs)


@method_decorator(reauthentication_required(allow_get=True), name="dispatch")
class SessionsView(ListUserSessionsView):  # type: ignore[misc]  # It has no types.
    """List the user's own sessions. A POST ends the named session, or all but this one.

    A POST requires the password again, unless it was entered within the last five minutes.
    """

    def form_valid(self, form: Any) -> HttpResponse:
        named = self.request.POST.get("session")
        if named is None:
            response: HttpResponse = super().form_valid(form)
            return response
        own = UserSession.objects.filter(user=self.request.user)
        session = own.filter(pk=named).first() if named.isascii() and named.isdigit() else None
        if session is None or session.is_current():
            ended = gettext("That session has already ended, or is this one.")
            messages.warning(self.request, ended)
        else:
            session.end()
            messages.info(self.request, gettext("The session of %s is ended.") % session.ip)
        return HttpResponseRedirect(self.get_success_url())


@require_POST
def cancel(request: HttpRequest) -> HttpResponse:
    """Cancel a sign-in that waits for its second step."""
    request.session.flush()
    return HttpResponseRedirect(reverse("admin:login"))


def administration(request: HttpRequest) -> dict[str, Any]:
    """Context processor that adds the context of the admin to allauth's pages."""
    if not request.path.startswith("/admin/account/"):
        return {}
    host = request.get_host().partition(":")[0]
    return admin.site.each_context(request) | {
        "passkeys_work": settings.IS_HTTPS or host == "localhost",
        "idle_hours": f"{settings.SESSION_COOKIE_AGE / 3600:g}",
        "must_set_up": settings.ADMIN_REQUIRE_SECOND_FACTOR and not has_second_factor(request.user),
    }
