"""Classify database errors, and give the operator a remedy."""

import tomllib
from pathlib import Path
from typing import Any

from django.db import Error, InterfaceError, OperationalError

_FAULTS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
NOT_MIGRATED, FULL, BROKEN, READ_ONLY, BUSY, REFUSED, UNREACHABLE = (
    str(fault["sentence"]) for fault in _FAULTS.values()
)
_BY_STATE: dict[str, str] = {
    state: fault["sentence"] for fault in _FAULTS.values() for state in fault["states"]
}
_BY_WORDS: dict[str, str] = {
    words: fault["sentence"] for fault in _FAULTS.values() for words in fault["words"]
}

DATABASE_AWAY = (OperationalError, InterfaceError)
RETRY_AFTER_SECONDS = 5  # Sent to clients while the data cannot be read.


def hint_for(error: BaseException) -> str | None:
    """Remedy for a database error; None for errors that an operator cannot fix."""
    if not isinstance(error, Error):
        return None
    state = _state(error)
    for length in (5, 3, 2):
        if state[:length] in _BY_STATE:
            return _BY_STATE[state[:length]]
    said = str(error).lower()
    if "database" in said and "does not exist" in said:
        return REFUSED
    return next((what for words, what in _BY_WORDS.items() if words in said), None)


def message_for(error: BaseException) -> str | None:
    """Remedy and message of a database error, on one line; None as in `hint_for`."""
    advice = hint_for(error)
    return f"{advice} ({_on_one_line(error)})" if advice else None


def import_error_message(error: Error) -> str:
    """Message for a command that changed nothing because of a database error."""
    return message_for(error) or (
        f"The database did not take it in, so nothing was changed ({_on_one_line(error)}). "
        "Try again."
    )


def _on_one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _state(error: Error) -> str:
    return getattr(error.__cause__, "sqlstate", None) or ""
