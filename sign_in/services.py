"""Change second factors and sessions."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from core.secrets import Cipher, SecretLost

SECRETS = Cipher("sign_in")
SECRET_KEYS = {"secret", "seed"}  # Of `Authenticator.data`; a passkey is stored as a public key.


def invalidate_first_code(request: HttpRequest, authenticator: Authenticator, **_: Any) -> None:
    """Mark the code that set up an authenticator app as used (ASVS 5.0 6.5.1)."""
    if authenticator.type == Authenticator.Type.TOTP:
        authenticator.wrap().validate_code(request.POST.get("code", ""))


def end_other_sessions(request: HttpRequest, user: User, **_: Any) -> None:
    """End all other sessions of a user whose second factors have changed."""
    sessions = UserSession.objects.filter(user=user)
    for session in sessions.exclude(session_key=request.session.session_key):
        session.end()


@transaction.atomic
def remove_second_factor(user: User) -> bool:
    """Remove all second factors of a user and end all sessions. Return whether there was one."""
    removed, _ = Authenticator.objects.filter(user=user).delete()
    if removed:
        for session in UserSession.objects.filter(user=user):
            session.end()
    return bool(removed)


@transaction.atomic
def reencrypt_secrets() -> tuple[int, int]:
    """Encrypt secrets with the current `SECRET_KEY`. Return the numbers of done and lost ones."""
    done = lost = 0
    for factor in Authenticator.objects.select_for_update().order_by("pk"):
        for key in SECRET_KEYS & factor.data.keys():
            try:
                new = SECRETS.renewed(factor.data[key].encode())
            except SecretLost:
                lost += 1
                continue
            if new:
                factor.data[key] = new.decode()
                factor.save(update_fields=["data"])
                done += 1
    return done, lost
