"""Signed session ids, which are stored nowhere and valid on every machine.

An id is 128 random bits, the negotiated revision, the time of its issue and a signature under
`SECRET_KEY`. So a flood of `initialize` stores nothing, a restart ends nothing, and any process
knows an id that another one issued. Only an id that was ended early is stored, in Django's default
cache, for the rest of its life.
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
CACHE_RETRY_SECONDS = 5.0  # A cache that hangs costs one request its timeout, not every request.


class SignedSessions:
    """The sessions of this installation. Safe to use from any thread."""

    def __init__(self) -> None:
        self._cache_retry_at = 0.0

    def open(self, revision: str) -> str:
        """A new id, of visible ASCII characters alone."""
        return _signer().sign(f"{secrets.token_urlsafe(RANDOM_BYTES)}.{revision}")

    def revision(self, session: str) -> str | None:
        """The negotiated revision; None for a session that is unknown, forged, expired or ended."""
        value = _verified(session)
        if value is None or self._is_ended(value):
            return None
        return value.partition(".")[2]

    def end(self, session: str) -> bool:
        """End the session; False if there was none. Raises `ServiceUnavailable`."""
        value = _verified(session)
        if value is None or self._is_ended(value):
            return False
        key = _key(value)
        try:
            is_stored = cache.add(key, 1, timeout=conf.get("MCP_SESSION_SECONDS")) or key in cache
        except Exception as error:
            raise ServiceUnavailable("The shared cache fails.") from error
        if not is_stored:
            # Django's database cache does not raise its failures.
            raise ServiceUnavailable("The shared cache did not store the end of a session.")
        return True

    def _is_ended(self, value: str) -> bool:
        if time.monotonic() < self._cache_retry_at:
            return False
        try:
            return _key(value) in cache
        except Exception as error:  # noqa: BLE001  Each cache backend has errors of its own.
            # Reading goes on without it: the holder of an ended session was once given its id.
            self._cache_retry_at = time.monotonic() + CACHE_RETRY_SECONDS
            logger.error("Ended sessions are accepted, since the shared cache fails: %r", error)
            return False


sessions = SignedSessions()


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="mcp_server.session")  # Knows SECRET_KEY_FALLBACKS too.


def _verified(session: str) -> str | None:
    try:
        return _signer().unsign(session, max_age=conf.get("MCP_SESSION_SECONDS"))
    except BadSignature:  # Or expired, which is a kind of it.
        return None


def _key(value: str) -> str:
    return f"mcp-ended:{value.partition('.')[0]}"
