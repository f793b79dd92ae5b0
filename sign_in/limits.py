"""Limit sign-ins by the network of the client, and by the account over all networks.

A refusal comes before the password is hashed. An account at its limit still admits the networks
from which its user signed in recently, so that an attacker cannot lock out the owner.
"""

import datetime as dt
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sign_in.log import log_account_limit

# These paths check a password or a code, or reset a forgotten password.
SIGN_IN_PATHS = (
    "/admin/login/",
    "/admin/account/second-step/authenticate/",
    "/admin/account/second-step/reauthenticate/",
    "/admin/account/confirm/",
    "/admin/password_change/",
    "/admin/password_reset/",
    "/admin/reset/",
)
ACCOUNT_FAILURES = 100
ACCOUNT_PERIOD = dt.timedelta(hours=1)
KNOWN_NETWORK_PERIOD = dt.timedelta(days=30)


def is_sign_in(path: str) -> bool:
    """Whether a POST to this path counts as a sign-in."""
    return path.startswith(SIGN_IN_PATHS)


class SignInHandler(AxesDatabaseHandler):  # type: ignore[misc]  # It has no types.
    """Handler of django-axes that also locks an account for unknown networks."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        if super().is_locked(request, credentials):
            return True
        username = get_client_username(request, credentials)
        return bool(username) and _is_account_limited(request, username)


def _is_account_limited(request: Any, username: str) -> bool:
    now = timezone.now()
    failures = AccessFailureLog.objects.filter(
        username=username, attempt_time__gt=now - ACCOUNT_PERIOD
    )
    if failures.count() < ACCOUNT_FAILURES:
        return False
    is_known = AccessLog.objects.filter(
        username=username,
        ip_address=request.axes_ip_address,
        attempt_time__gt=now - KNOWN_NETWORK_PERIOD,
    ).exists()
    if is_known:
        return False
    request.is_account_limited = True
    log_account_limit(username)
    return True


def limited_users() -> list[str]:
    """Return the names of users whose account is at its limit."""
    recent = AccessFailureLog.objects.filter(
        username__in=get_user_model().objects.values("username"),
        attempt_time__gt=timezone.now() - ACCOUNT_PERIOD,
    )
    counted = recent.order_by().values("username").annotate(failures=Count("pk"))
    return list(counted.filter(failures__gte=ACCOUNT_FAILURES).values_list("username", flat=True))


def locked_out(
    request: HttpRequest, _response: HttpResponse | None, _credentials: dict[str, Any] | None
) -> HttpResponse:
    """Render the page of a locked sign-in (429) with its `Retry-After`."""
    is_account_limited = getattr(request, "is_account_limited", False)
    seconds = int(settings.AXES_COOLOFF_TIME * 3600)
    if is_account_limited:
        seconds = int(ACCOUNT_PERIOD.total_seconds())
    context = admin.site.each_context(request) | {
        "minutes": max(1, -(-seconds // 60)),
        "failures": settings.AXES_FAILURE_LIMIT,
        "account_failures": ACCOUNT_FAILURES if is_account_limited else None,
    }
    response = render(request, "admin/locked_out.html", context, status=429)
    response["Retry-After"] = str(seconds)
    return response
