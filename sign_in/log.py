"""Log sign-ins, with the name of the user and the address of the client.

The address precedes the quoted name, which the client chooses. So fail2ban finds the address in
every line, and a name cannot forge a line.
"""

import logging
import time
from typing import Any

from allauth.mfa.signals import authentication_failed
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from core.http.rate_limit import client_address

logger = logging.getLogger("sign_in")

MAX_NAME = 150
ACCOUNT_LIMIT_SECONDS = 600.0

_account_limit_logged_at: dict[str, float] = {}


def _quoted(name: object) -> str:
    """Return the name on one line, with other characters than ASCII escaped."""
    return ascii(str(name or "")[:MAX_NAME])


def log_failure(request: HttpRequest | None, name: object, reason: str) -> None:
    """Log a failure in the format that fail2ban reads (docs/sign_in.md has the filter)."""
    address = client_address(request) if request else None
    logger.warning("Failed sign-in from %s as %s: %s", address or "unknown", _quoted(name), reason)


def log_account_limit(name: str) -> None:
    """Log an account that is attacked from many networks, once in ten minutes per process."""
    now = time.monotonic()
    for known, at in list(_account_limit_logged_at.items()):
        if now - at > ACCOUNT_LIMIT_SECONDS:
            _account_limit_logged_at.pop(known, None)
    if _account_limit_logged_at.setdefault(name, now) == now:
        logger.error(
            "The account %s has had too many failed sign-ins within an hour: until they are fewer, "
            "it admits only networks from which its user signed in within the last 30 days",
            _quoted(name),
        )


@receiver(user_login_failed, dispatch_uid="sign_in_failure")
def _on_failure(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_: object
) -> None:
    reason = "wrong password" if "password" in credentials else "wrong code"
    if getattr(request, "axes_locked_out", False):
        reason = "locked"
    log_failure(request, credentials.get("username"), reason)


@receiver(authentication_failed, dispatch_uid="second_factor_failure")
def _on_wrong_code(request: HttpRequest, user: User, **_: object) -> None:
    """Count and log a wrong code like a wrong password."""
    credentials = {"username": user.get_username()}
    user_login_failed.send(sender=__name__, credentials=credentials, request=request)


@receiver(user_logged_in, dispatch_uid="sign_in_success")
def _on_success(request: HttpRequest | None, user: User, **_: object) -> None:
    address = client_address(request) if request else None
    logger.info("Sign-in from %s as %s", address or "unknown", _quoted(user.get_username()))
