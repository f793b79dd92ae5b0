"""Django's PostgreSQL backend, with timeouts and a circuit breaker for a silent server.

After `query_timeout` a query fails and its connection is closed. The circuit breaker then refuses
connections for a few seconds, and lets one attempt at a time find out whether the server is back.
Otherwise a few requests would occupy all threads of a web process, which also serves documents
without the database.
"""

import time
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from django.db.backends.postgresql import base

from core.db.transactions import query_timeout

if TYPE_CHECKING:
    from psycopg.abc import PQGen

Returned = TypeVar("Returned")

CONNECT_SECONDS = 3
HEALTH_CHECK_SECONDS = 3.0
OPEN_SECONDS = 5.0
CANCEL_SECONDS = 1.0
# Locks time out sooner than queries, so that the server reports them and does not seem silent.
LOCK_TIMEOUT_SHARE = 0.9

# When a connection counts as lost. DATABASE_URL overrides this, like ?connect_timeout=10.
OPTIONS = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # Milliseconds.
}


class CircuitBreaker:
    """Circuit breaker that opens after a timeout of the server."""

    def __init__(self) -> None:
        self._until = 0.0  # On the monotonic clock; 0: closed.

    def open(self) -> None:
        self._until = time.monotonic() + OPEN_SECONDS

    def close(self) -> None:
        self._until = 0.0

    def allows_attempt(self) -> bool:
        """Whether the caller may connect; at most one attempt at a time while it is open."""
        if not self._until:
            return True
        if time.monotonic() < self._until:
            return False
        self.open()
        return True


breaker = CircuitBreaker()


class Connection(psycopg.Connection[Any]):
    def wait(
        self,
        gen: "PQGen[Returned]",
        interval: float = 0.1,
        timeout: float | None = None,
    ) -> Returned:
        timeout = query_timeout.get() if timeout is None else timeout
        if timeout is None:
            return super().wait(gen, interval)
        started = time.monotonic()
        try:
            return super().wait(gen, interval, timeout)
        except psycopg.OperationalError:
            if time.monotonic() - started < timeout:
                raise
            breaker.open()
            with suppress(psycopg.Error):  # The server may only be slow.
                self.cancel_safe(timeout=CANCEL_SECONDS)
            self.close()  # A late result would be read as that of the next query.
            raise psycopg.errors.ConnectionTimeout(
                f"connection timeout: no answer within {timeout:g} seconds"
            ) from None


class DatabaseWrapper(base.DatabaseWrapper):
    Database = SimpleNamespace(**{**vars(psycopg), "connect": Connection.connect})

    def get_connection_params(self) -> dict[str, Any]:
        return {**OPTIONS, **super().get_connection_params()}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not breaker.allows_attempt():
            raise psycopg.errors.ConnectionTimeout(
                "connection timeout: no answer a moment ago, so nobody waits for one now"
            )
        try:
            connection = super().get_new_connection(conn_params)
        except psycopg.errors.ConnectionTimeout:
            breaker.open()
            raise
        breaker.close()
        return connection

    def init_connection_state(self) -> None:
        super().init_connection_state()
        if (seconds := query_timeout.get()) is not None:
            milliseconds = round(seconds * LOCK_TIMEOUT_SHARE * 1_000)
            self.connection.execute(f"SET lock_timeout = {milliseconds}")
            self.connection.commit()

    def is_usable(self) -> bool:
        before = query_timeout.set(HEALTH_CHECK_SECONDS)
        try:
            return bool(super().is_usable())
        finally:
            query_timeout.reset(before)
