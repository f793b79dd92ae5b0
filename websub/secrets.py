"""Secrets at rest: encrypted with keys derived from `SECRET_KEY` and its fallbacks."""

import base64
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class SecretLost(Exception):
    """A stored secret that none of our keys opens: `SECRET_KEY` was changed without a fallback."""


@cache
def _keys(secret_keys: tuple[str, ...]) -> MultiFernet:
    def derived(key: str) -> bytes:
        kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"websub subscriber secrets")
        return base64.urlsafe_b64encode(kdf.derive(key.encode()))

    return MultiFernet([Fernet(derived(key)) for key in secret_keys])


def _current_keys() -> MultiFernet:
    return _keys((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


def encrypt(secret: str) -> str:
    """The secret as it may be stored; an empty one, which means none, stays empty."""
    return _current_keys().encrypt(secret.encode()).decode() if secret else ""


def decrypt(stored: str) -> str:
    """The secret again; raises SecretLost when no key of ours opens it."""
    try:
        return _current_keys().decrypt(stored.encode()).decode() if stored else ""
    except InvalidToken:
        raise SecretLost(
            "A stored secret cannot be read: add the former SECRET_KEY to SECRET_KEY_FALLBACKS."
        ) from None


def is_same(stored: str, other: str) -> bool:
    """Whether both are one secret: encrypted twice it does not look alike. Not if one is lost."""
    try:
        return stored == other or decrypt(stored) == decrypt(other)
    except SecretLost:
        return False


def renewed(stored: str) -> str | None:
    """The stored secret under today's `SECRET_KEY`; None when it is already, or there is none."""
    if not stored:
        return None
    try:
        _keys((settings.SECRET_KEY,)).decrypt(stored.encode())
    except InvalidToken:
        return encrypt(decrypt(stored))
    return None
