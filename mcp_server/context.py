"""Context of a call: request, session, progress and log messages."""

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import HttpRequest

from mcp_server.jsonrpc import Json, meta_of

logger = logging.getLogger("mcp_server.tool")

LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
LOG_LEVELS = {  # Levels of RFC 5424 and of Python.
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": logging.CRITICAL,
    "emergency": logging.CRITICAL,
}

Notify = Callable[[Json], None]


class Exchange(NamedTuple):
    """A client's request. `notify` sends messages before the answer, None if it cannot."""

    request: HttpRequest
    base_url: str
    session: str | None = None
    notify: Notify | None = None

    def context(self, params: Json) -> "Context":
        return Context(self.request, self.session, self.notify, params)


class Context:
    """The current call, passed to functions that have a parameter of this type.

    `request` is Django's request, `session` the id of the client's session or None.
    """

    def __init__(
        self, request: HttpRequest, session: str | None, notify: Notify | None, params: Json
    ) -> None:
        self.request = request
        self.session = session
        self._notify = notify
        self._name = params.get("name")
        self._meta = meta_of({"params": params})

    def progress(self, progress: float, total: float | None = None, message: str = "") -> None:
        """Report progress if the client asked for it. `progress` must increase with each call."""
        token = self._meta.get("progressToken")
        if token is not None:
            known = {"total": total, "message": message or None}
            given = {name: value for name, value in known.items() if value is not None}
            self._send("progress", progressToken=token, progress=progress, **given)

    def log(self, data: Any, level: str = "info") -> None:
        """Log a message to the logger `mcp_server.tool`, and to a client that asked for its level.

        `level` is a key of `LOG_LEVELS`.
        """
        logger.log(LOG_LEVELS[level], "%s: %s", self._name, data)
        levels, least = list(LOG_LEVELS), self._meta.get(LOG_LEVEL_KEY)
        if least in levels and levels.index(level) >= levels.index(least):
            self._send("message", level=level, logger=self._name, data=data)

    def _send(self, kind: str, **params: Any) -> None:
        if self._notify:
            self._notify({"jsonrpc": "2.0", "method": f"notifications/{kind}", "params": params})
