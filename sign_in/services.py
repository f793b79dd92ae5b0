"""Changes of second factors that their users do not ask for."""

from collections.abc import Iterator
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from websub.secrets import SecretLost, renewed

SECRET_KEYS = ("secret", "seed")  # Of `Authenticator.data`; a passkey is stored as a public key.


def use_up_first_code(request: HttpRequest, authenticator: Authenticator, **_: Any) -> None:
    """Use up the code that set an app up (ASVS 5.0 6.5.1)."""
    if authenticator.type == Authenticator.Type.TOTP:
        authenticator.wrap().validate_code(request.POST.get("code", ""))


def end_other_sessions(request: HttpRequest, user: User, **_: Any) -> None:
    """End all sessions of a user but this one, whose second factors have changed."""
    sessions = UserSession.objects.filter(user=user)
    for session in sessions.exclude(session_key=request.session.session_key):
        session.end()


@transaction.atomic
def remove_second_factor(user: User) -> bool:
    """Remove app, passkeys and recovery codes, and end all sessions; tell whether there was one."""
    removed, _ = Authenticator.objects.filter(user=user).delete()
    if removed:
        for session in UserSession.objects.filter(user=user):
            session.end()
    return bool(removed)


def stored_secrets() -> Iterator[str]:
    """Secrets of all second factors as they are stored, encrypted."""
    for data in Authenticator.objects.order_by("pk").values_list("data", flat=True).iterator(500):
        yield from (data[key] for key in SECRET_KEYS if key in data)


@transaction.atomic
def reencrypt_second_factors() -> tuple[int, int]:
    """Encrypt secrets of second factors with today's SECRET_KEY: numbers of done and of lost."""
    done = lost = 0
    for factor in Authenticator.objects.select_for_update().order_by("pk"):
        for key in SECRET_KEYS:
            try:
                new = renewed(factor.data.get(key, ""))
            except SecretLost:
                lost += 1
                continue
            if new:
                factor.data[key] = new
                factor.save(update_fields=["data"])
                done += 1
    return done, lost
