"""Session ids that carry their own proof: signed, stored nowhere, good on every machine.

An id is 128 random bits, the negotiated revision, the time of its issue and a signature under
`SECRET_KEY`. So a flood of `initialize` stores nothing, a restart ends nothing, and any process
knows an id that another one gave. Only an id that was ended early is remembered, in the shared
cache, for the rest of its life.
"""

import logging
import secrets
import time

from django.conf import settings
from django.core.cache import cache
from django.core.signing import BadSignature, TimestampSigner

logger = logging.getLogger(__name__)

RANDOM_BYTES = 16
BLIND_SECONDS = 5.0  # A cache that hangs costs one request its timeout, not every request.


class CannotEnd(Exception):
    """The shared cache does not take the note that a session is over."""


class SignedSessions:
    """The sessions of this installation. Safe to use from any thread."""

    def __init__(self) -> None:
        self._blind_until = 0.0

    @property
    def are_required(self) -> bool:
        required: bool = settings.MCP_REQUIRE_SESSION
        return required

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
        """Whether there was such a session; from now on there is none. Raises `CannotEnd`."""
        value = _verified(session)
        if value is None or self._is_ended(value):
            return False
        key = _key(value)
        try:
            noted = cache.add(key, 1, timeout=settings.MCP_SESSION_SECONDS) or key in cache
        except Exception as error:
            raise CannotEnd("The shared cache fails.") from error
        if not noted:
            # The database cache keeps its failures to itself.
            raise CannotEnd("The shared cache did not take the note.")
        return True

    def _is_ended(self, value: str) -> bool:
        if time.monotonic() < self._blind_until:
            return False
        try:
            return _key(value) in cache
        except Exception as error:  # noqa: BLE001  Each cache backend has errors of its own.
            # Reading goes on without it: whoever has the id of an ended session was once given it.
            self._blind_until = time.monotonic() + BLIND_SECONDS
            logger.error("Ended sessions cannot be told, since the shared cache fails: %r", error)
            return False


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="mcp_server.session")  # Knows SECRET_KEY_FALLBACKS too.


def _verified(session: str) -> str | None:
    try:
        return _signer().unsign(session, max_age=settings.MCP_SESSION_SECONDS)
    except BadSignature:  # Or expired, which is a kind of it.
        return None


def _key(value: str) -> str:
    return f"mcp-ended:{value.partition('.')[0]}"
