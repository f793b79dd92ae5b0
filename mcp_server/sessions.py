"""Signed session ids, which every process can verify without storage.

An id consists of 128 random bits, the negotiated revision, the time of issue and a signature under
`SECRET_KEY`. A flood of `initialize` therefore stores nothing, and sessions survive a restart. Only
ids that a client has ended are stored, in Django's default cache, until they would have expired.
"""

import logging
import secrets
import time

from django.core.cache import cache
from django.core.signing import BadSignature, TimestampSigner

from mcp_server import conf
from mcp_server.registry import ServiceUnavailable

logger = logging.getLogger(__name__)

RANDOM_BYTES = 16
CACHE_RETRY_SECONDS = 5.0  # So that a hanging cache does not delay every request.


class SignedSessions:
    """Sessions of the whole installation. Thread-safe."""

    def __init__(self) -> None:
        self._cache_retry_at = 0.0

    def open(self, revision: str) -> str:
        """Return a new id of visible ASCII characters."""
        return _signer().sign(f"{secrets.token_urlsafe(RANDOM_BYTES)}.{revision}")

    def revision(self, session: str) -> str | None:
        """Return the negotiated revision, None if the session is forged, expired or ended."""
        value = _verified(session)
        if value is None or self._is_ended(value):
            return None
        return value.partition(".")[2]

    def end(self, session: str) -> bool:
        """End the session, and return False if there is none. Raises `ServiceUnavailable`."""
        value = _verified(session)
        if value is None or self._is_ended(value):
            return False
        key = _key(value)
        try:
            is_stored = cache.add(key, 1, timeout=conf.get("MCP_SESSION_SECONDS")) or key in cache
        except Exception as error:
            raise ServiceUnavailable("The shared cache fails.") from error
        if not is_stored:
            # Django's database cache does not raise on failures.
            raise ServiceUnavailable("The shared cache did not store the end of a session.")
        return True

    def _is_ended(self, value: str) -> bool:
        if time.monotonic() < self._cache_retry_at:
            return False
        try:
            return _key(value) in cache
        except Exception as error:  # noqa: BLE001  (each cache backend has its own exceptions)
            # Accept the session: a client that sends an ended one was given its id before.
            self._cache_retry_at = time.monotonic() + CACHE_RETRY_SECONDS
            logger.error("Ended sessions are accepted, since the shared cache fails: %r", error)
            return False


sessions = SignedSessions()


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="mcp_server.session")  # Accepts SECRET_KEY_FALLBACKS too.


def _verified(session: str) -> str | None:
    try:
        return _signer().unsign(session, max_age=conf.get("MCP_SESSION_SECONDS"))
    except BadSignature:  # The base class of SignatureExpired.
        return None


def _key(value: str) -> str:
    return f"mcp-ended:{value.partition('.')[0]}"
