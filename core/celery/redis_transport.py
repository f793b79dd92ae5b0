"""Redis as a broker that may restart while messages are at work.

Kombu's own transport, except for one thing: what a channel would still like to do when its
connection has been given up (hand back the messages at work, which the sweep finds anyway) fails
as a lost connection, after which Celery connects again. Kombu fails with an AttributeError
there, and the worker dies of it.
"""

from typing import Any

from kombu.transport import redis


class Channel(redis.Channel):
    def _connparams(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        if self.connection.client is None:
            raise ConnectionError("The connection to the broker has been given up.")
        parameters: dict[str, Any] = super()._connparams(  # type: ignore[misc]  # Not in the stubs.
            *args, **kwargs
        )
        return parameters


class Transport(redis.Transport):
    Channel = Channel
