"""Encrypt stored secrets with keys derived from `SECRET_KEY` and its fallbacks."""

import base64
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class SecretLost(Exception):
    """No key decrypts a stored secret: `SECRET_KEY` was changed without a fallback."""


@cache
def _keys(secret_keys: tuple[str, ...]) -> MultiFernet:
    def derived(key: str) -> bytes:
        kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"websub subscriber secrets")
        return base64.urlsafe_b64encode(kdf.derive(key.encode()))

    return MultiFernet([Fernet(derived(key)) for key in secret_keys])


def _current_keys() -> MultiFernet:
    return _keys((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


def encrypt(secret: str) -> str:
    """Encrypt a secret for the database; an empty one stays empty."""
    return _current_keys().encrypt(secret.encode()).decode() if secret else ""


def decrypt(stored: str) -> str:
    """Decrypt a stored secret; raises SecretLost if no key fits."""
    try:
        return _current_keys().decrypt(stored.encode()).decode() if stored else ""
    except InvalidToken:
        raise SecretLost(
            "A stored secret cannot be read: add the former SECRET_KEY to SECRET_KEY_FALLBACKS."
        ) from None


def is_same(stored: str, other: str) -> bool:
    """Whether two stored values hold the same secret; False if one is lost."""
    try:
        return stored == other or decrypt(stored) == decrypt(other)
    except SecretLost:
        return False


def reencrypt(stored: str) -> str | None:
    """Encrypt a stored secret with the current `SECRET_KEY`; None if nothing changes.

    Raises SecretLost if no key fits.
    """
    if not stored:
        return None
    try:
        _keys((settings.SECRET_KEY,)).decrypt(stored.encode())
    except InvalidToken:
        return encrypt(decrypt(stored))
    return None
