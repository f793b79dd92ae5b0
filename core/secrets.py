"""Encrypt stored secrets, with keys derived from `SECRET_KEY` and its fallbacks."""

import base64
from dataclasses import dataclass
from functools import cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db.models import QuerySet


class SecretLost(Exception):
    """Raised if no key decrypts a secret, after `SECRET_KEY` was changed without a fallback."""


@dataclass(frozen=True, slots=True)
class Cipher:
    """Encryption with keys for one purpose."""

    purpose: str

    def encrypt(self, content: bytes) -> bytes:
        return self._keys().encrypt(content)

    def decrypt(self, stored: bytes) -> bytes:
        """Decrypt stored content. Raises `SecretLost`."""
        try:
            return self._keys().decrypt(stored)
        except InvalidToken:
            raise SecretLost(
                "A stored secret cannot be read: add the former SECRET_KEY to SECRET_KEY_FALLBACKS."
            ) from None

    def renewed(self, stored: bytes) -> bytes | None:
        """Encrypt a secret again with the current `SECRET_KEY`.

        Return None if it is encrypted so already. Raises `SecretLost`.
        """
        try:
            _keys(self.purpose, (settings.SECRET_KEY,)).decrypt(stored)
        except InvalidToken:
            return self.encrypt(self.decrypt(stored))
        return None

    def reencrypt(self, rows: QuerySet[Any], *fields: str) -> tuple[int, int]:
        """Encrypt fields of rows again, and return the numbers of renewed and lost secrets."""
        done = lost = 0
        for field in fields:
            for pk, stored in rows.exclude(**{field: ""}).values_list("pk", field):
                try:
                    new = self.renewed(stored.encode())
                except SecretLost:
                    lost += 1
                    continue
                if new:
                    # Skip a secret that was replaced in the meantime.
                    same = rows.filter(**{"pk": pk, field: stored})
                    done += same.update(**{field: new.decode()})
        return done, lost

    def _keys(self) -> MultiFernet:
        return _keys(self.purpose, (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@cache
def _keys(purpose: str, secret_keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([_derived(purpose, key) for key in secret_keys])


def _derived(purpose: str, secret_key: str) -> Fernet:
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode())
    return Fernet(base64.urlsafe_b64encode(kdf.derive(secret_key.encode())))
