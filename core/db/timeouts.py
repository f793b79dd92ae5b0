"""Timeouts of database queries: after them the connection is given up.

A server that is frozen, or behind a network that drops packets, neither answers nor refuses. A
query without a timeout, as by a command, waits for ever.
"""

from contextvars import ContextVar

REQUEST_TIMEOUT = 10.0  # While a client waits, and with it one of a web process's few threads.
TASK_TIMEOUT = 300.0  # Storing the largest documents takes a while; nobody waits for it.

query_timeout: ContextVar[float | None] = ContextVar("query_timeout", default=None)
