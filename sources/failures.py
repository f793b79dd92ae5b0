"""Failures of a source, each a sentence with its remedy."""

from collections.abc import Mapping
from typing import Any

from review_exports.values.people import EMAIL, PHONE_AMONG_WORDS

MOST_SHOWN = 200
REMOVED = "[removed]"


class SourceFailure(Exception):
    """A look at a source that brought nothing; the source is tried again after a wait.

    The message is shown to administrators: it names cause and remedy, and holds no secret.
    `retry_after_seconds` is the wait that the source itself asks for. The next look starts from
    `state`; None keeps the stored one.
    """

    needs_person = False

    def __init__(
        self,
        sentence: str,
        *,
        retry_after_seconds: float = 0.0,
        state: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.retry_after_seconds = retry_after_seconds
        self.state = state


class CredentialsRefused(SourceFailure):
    """A key, password or grant that the source does not accept: no further try helps."""

    needs_person = True


class NotThere(SourceFailure):
    """An address or id that the source does not know, or no longer."""


class RequestRefused(SourceFailure):
    """A request that the source does not understand, such as one for a page in another way."""


def shown(given: object) -> str:
    """Words of a maker, as one line that fits into a sentence, without contact data."""
    line = " ".join(str(given).split())
    line = "".join(letter for letter in line if letter.isprintable()).rstrip(".")
    line = PHONE_AMONG_WORDS.sub(REMOVED, EMAIL.sub(REMOVED, line))
    return line if len(line) <= MOST_SHOWN else f"{line[:MOST_SHOWN]}…"
