"""Middleware of the sign-in and the sessions of the admin."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from urllib.parse import urlencode, urlsplit

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, UnreadablePostError
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS

from core.http import problems
from core.http.middleware import GetResponse, Middleware
from core.http.rate_limit import client_key, hit, try_again
from core.http.request_body import CUT_OFF, TooManyBodies
from sign_in.adapters import FRESH_SECONDS, STARTED_AT
from sign_in.limits import is_sign_in
from sign_in.views import has_second_factor

logger = logging.getLogger(__name__)

TOO_MANY = "Too many sign-ins from your network."
NO_CACHE = (
    "No code can be checked at the moment, since the service does not reach its Redis. An operator "
    "has to start that; then try again."
)
SEEN_AT = "seen_at"  # Session key of the last renewal, in seconds.
RENEWAL_SECONDS = 300  # Renewing at each request would write to the database each time.
WITHOUT_SECOND_FACTOR = ("/admin/login/", "/admin/logout/", "/admin/account/")


class SignInThrottleMiddleware(Middleware):
    """Refuse sign-ins over the limit of a network, before a body is read or a password hashed.

    The middleware then reads the body, one of each network at a time. So a client that stops in the
    middle of a body delays no sign-in from another network.
    """

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self._lock = Lock()
        self._networks: set[str] = set()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST" and is_sign_in(request.path):
            decision = hit("sign_in", client_key(request))
            if decision is not None and not decision.allowed:
                seconds = decision.reset_seconds
                wait = {"Retry-After": str(seconds)}
                return problems.error(request, 429, f"{TOO_MANY} {try_again(seconds)}", **wait)
            try:
                with self._only_body_of(client_key(request)):
                    request.body  # noqa: B018  (Django keeps it)
            except UnreadablePostError:
                return problems.error(request, 400, CUT_OFF)
        return self.get_response(request)

    @contextmanager
    def _only_body_of(self, network: str) -> Iterator[None]:
        with self._lock:
            if network in self._networks:
                raise TooManyBodies
            self._networks.add(network)
        try:
            yield
        finally:
            with self._lock:
                self._networks.discard(network)


class AnonymousMiddleware(Middleware):
    """Redirect an anonymous POST to the sign-in without reading its body.

    After the sign-in, the user returns to the page of the form, not to the target of the POST.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if (
            request.method in SAFE_METHODS
            or is_sign_in(request.path)
            or request.path == reverse("account_logout")
            or request.user.is_authenticated
        ):
            return self.get_response(request)
        came_from = urlsplit(request.headers.get("Referer", ""))
        target = came_from.path if came_from.netloc == request.get_host() else ""
        if not target.startswith("/admin/"):
            target = reverse("admin:index")
        query = urlencode({REDIRECT_FIELD_NAME: target})
        return HttpResponseRedirect(f"{reverse('admin:login')}?{query}")


class SessionMiddleware(Middleware):
    """Renew a session that is in use, and end it `ADMIN_SESSION_SECONDS` after the sign-in."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.user.is_authenticated:
            self._renew(request)
        response = self.get_response(request)
        if request.method == "POST" and request.path == reverse("admin:logout"):
            # Django deletes the session cookie, but not caches and storage.
            response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    def _renew(self, request: HttpRequest) -> None:
        now = int(time.time())
        session = request.session
        # A session from before an upgrade has no time of its sign-in.
        started_at = session.setdefault(STARTED_AT, now - FRESH_SECONDS)
        if now - started_at > settings.ADMIN_SESSION_SECONDS:
            logout(request)
        elif now - session.get(SEEN_AT, 0) > RENEWAL_SECONDS:
            # Changing the session saves it with a new expiry.
            session[SEEN_AT] = now
            seen = UserSession.objects.filter(session_key=session.session_key)
            seen.update(last_seen_at=timezone.now())


class SecondFactorMiddleware(Middleware):
    """Redirect users without a second factor to its setup, if the settings require one."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if (
            settings.ADMIN_REQUIRE_SECOND_FACTOR
            and not request.path.startswith(WITHOUT_SECOND_FACTOR)
            and request.user.is_authenticated
            and not has_second_factor(request.user)
        ):
            return HttpResponseRedirect(reverse("mfa_index"))
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer 503 while Redis is away: a code could not be counted and marked as used."""
        if not request.path.startswith("/admin/account/"):
            return None
        from redis import RedisError  # noqa: PLC0415  (5 MB, which most processes do not need)

        if not isinstance(error, RedisError):
            return None
        logger.error("No code can be checked, since the shared cache fails: %s", error)
        return problems.unavailable(request, NO_CACHE)
