"""Middleware of the sign-in and of its sessions."""

import logging
import time

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from redis import RedisError

from config.middleware import GetResponse
from config.sign_in.adapters import FRESH_SECONDS, STARTED_AT
from config.sign_in.limits import is_sign_in
from config.sign_in.views import has_second_factor
from core.http import problems
from core.http.rate_limit import hit, try_again
from core.http.throttling import client_key

logger = logging.getLogger(__name__)

TOO_MANY = "Too many sign-ins from your network."
NO_CACHE = (
    "No code can be checked at the moment, since the service does not reach its Redis. An operator "
    "has to start that; then try again."
)
SEEN_AT = "seen_at"  # The key of a session's last renewal, in seconds.
RENEWAL_SECONDS = 300  # A page is not held up by a write each time.
WITHOUT_SECOND_FACTOR = ("/admin/login/", "/admin/logout/", "/admin/account/")


class SignInThrottleMiddleware:
    """Refuses sign-ins over the limit of a network before a body is read or a password hashed."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST" and is_sign_in(request.path):
            decision = hit("sign_in", client_key(request))
            if decision is not None and not decision.allowed:
                seconds = decision.reset_seconds
                wait = {"Retry-After": str(seconds)}
                return problems.error(request, 429, f"{TOO_MANY} {try_again(seconds)}", **wait)
        return self.get_response(request)


class SessionMiddleware:
    """Renews a session that is used, and ends it fourteen days after the sign-in."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith("/admin/") and request.user.is_authenticated:
            self._renew(request)
        return self.get_response(request)

    def _renew(self, request: HttpRequest) -> None:
        now = int(time.time())
        session = request.session
        # A session of before an upgrade has no time of its sign-in.
        started_at = session.setdefault(STARTED_AT, now - FRESH_SECONDS)
        if now - started_at > settings.ADMIN_SESSION_SECONDS:
            logout(request)
        elif now - session.get(SEEN_AT, 0) > RENEWAL_SECONDS:
            # A changed session is saved, with a new end.
            session[SEEN_AT] = now
            seen = UserSession.objects.filter(session_key=session.session_key)
            seen.update(last_seen_at=timezone.now())


class SecondFactorMiddleware:
    """Leads users without a second factor to its set-up, where the settings demand one."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if (
            settings.ADMIN_REQUIRE_SECOND_FACTOR
            and request.path.startswith("/admin/")
            and not request.path.startswith(WITHOUT_SECOND_FACTOR)
            and request.user.is_authenticated
            and not has_second_factor(request.user)
        ):
            return HttpResponseRedirect(reverse("mfa_index"))
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Take no code while it cannot be counted and marked as used."""
        if not isinstance(error, RedisError) or not request.path.startswith("/admin/account/"):
            return None
        logger.error("No code can be checked, since the shared cache fails: %s", error)
        return problems.unavailable(request, NO_CACHE)
