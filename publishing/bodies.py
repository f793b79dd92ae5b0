"""Pure: the body of a request, read up to a bound by those who read it themselves."""

from collections.abc import Mapping
from typing import Any

CUT_OFF = "The body could not be read to its end."


class BodyRefused(Exception):
    """A body that is not taken: the status that HTTP has for it, and a sentence for the client."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def declared_length(environ: Mapping[str, Any]) -> int:
    """What Content-Length says; 0 where there is none, or none that can be read."""
    length = environ.get("CONTENT_LENGTH") or ""
    # Longer than 18 digits is too long whatever it is.
    return int(length[:19]) if length.isascii() and length.isdecimal() else 0


def read_body(environ: Mapping[str, Any], most: int) -> bytes:
    """The body of a WSGI request, whole; raises `BodyRefused`.

    One of more than `most` bytes is refused by what it says of itself, unread; one without a length
    is read where the server ends it.
    """
    expected = declared_length(environ)
    size = expected
    if not environ.get("CONTENT_LENGTH") and environ.get("HTTP_TRANSFER_ENCODING"):
        if not environ.get("wsgi.input_terminated"):
            raise BodyRefused(411, "The body must come with a Content-Length.")
        size = most + 1
    if expected > most:
        raise _too_long(most)
    try:
        body: bytes = environ["wsgi.input"].read(size)
    except OSError:
        raise BodyRefused(400, CUT_OFF) from None
    if len(body) > most:
        raise _too_long(most)
    if len(body) < expected:
        raise BodyRefused(400, CUT_OFF)
    return body


def _too_long(most: int) -> BodyRefused:
    return BodyRefused(413, f"The body is longer than {most} bytes.")
