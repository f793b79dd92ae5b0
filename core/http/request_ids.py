"""The id that each request is known by: the client's own where it is a plain one, else ours."""

import re
from collections.abc import MutableMapping
from itertools import count
from typing import Any

from django.utils.crypto import get_random_string

PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIds:
    """Ids that are unique among processes by a random part, and within one by a number."""

    def __init__(self) -> None:
        self._process = get_random_string(12)
        self._numbers = count(1)

    def choose(self, requested: str | None) -> str:
        """`requested` if it is a plain id of at most 64 characters, else a new one."""
        if requested is not None and PLAIN.fullmatch(requested):
            return requested
        return f"{self._process}.{next(self._numbers)}"

    def assign(self, environ: MutableMapping[str, Any]) -> str:
        """The id of the request, kept in its environment for all that read it later."""
        chosen = self.choose(environ.get("HTTP_X_REQUEST_ID"))
        environ["HTTP_X_REQUEST_ID"] = chosen
        return chosen
