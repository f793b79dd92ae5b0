"""The context of a call: its request and session, and messages on the way to its answer."""

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import HttpRequest

from mcp_server.jsonrpc import Json, meta_of

logger = logging.getLogger("mcp_server.tool")

LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
# Of RFC 5424, with those of Python.
LOG_LEVELS = {
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
    """A request of a client, and the way for messages before its answer if it has one."""

    request: HttpRequest
    base_url: str
    session: str | None = None
    notify: Notify | None = None

    def context(self, params: Json) -> "Context":
        """The context of a call with these parameters."""
        return Context(self.request, self.session, self.notify, params)


class Context:
    """The call at hand, for a function that has a parameter of this type.

    `request` is Django's, `session` the id of the client's session where it has one.
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
        """Report the progress, which rises with each call, to a client that asks for it."""
        token = self._meta.get("progressToken")
        if token is not None:
            known = {"total": total, "message": message or None}
            given = {name: value for name, value in known.items() if value is not None}
            self._send("progress", progressToken=token, progress=progress, **given)

    def log(self, data: Any, level: str = "info") -> None:
        """Log a message, also to a client that asks for those of its level.

        `level` is one of `LOG_LEVELS`. Python's logger `mcp_server.tool` has all of them.
        """
        logger.log(LOG_LEVELS[level], "%s: %s", self._name, data)
        levels, least = list(LOG_LEVELS), self._meta.get(LOG_LEVEL_KEY)
        if least in levels and levels.index(level) >= levels.index(least):
            self._send("message", level=level, logger=self._name, data=data)

    def _send(self, kind: str, **params: Any) -> None:
        if self._notify:
            self._notify({"jsonrpc": "2.0", "method": f"notifications/{kind}", "params": params})
