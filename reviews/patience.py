"""How long a question to the database may stay unanswered before its connection is given up.

A server that is frozen, or behind a network that drops packets, neither answers nor refuses. A
question that was asked under no patience, as by a command, waits for ever.
"""

from contextvars import ContextVar

REQUEST_SECONDS = 10.0  # While a client waits, and with it one of a web process's few threads.
WORK_SECONDS = 300.0  # Storing the largest documents takes a while; nobody waits for it.

patience: ContextVar[float | None] = ContextVar("patience", default=None)
