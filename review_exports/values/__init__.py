"""Rules that normalise the spellings of values.

Each refusal is a `ValueRefused` that names the field and the remedy. An ambiguous value is refused
instead of guessed, so that importing a file again always gives the same reviews.
"""

from typing import Any, Final

from review_exports.vocabulary import coded_message

SHOWN_MAX: Final = 80


class ValueRefused(Exception):
    """A value that cannot be read; `value` is its shortened form from the file."""

    def __init__(self, field: str | None, code: str, message: str, value: object = "") -> None:
        super().__init__(message)
        self.field = field
        self.code = code
        self.message = message
        self.value = shown(value)


def value_refused(key: str, field: str, value: object = "", **values: Any) -> ValueRefused:
    """Build the refusal of a value from `messages.toml`."""
    code, message = coded_message("values", key, {"field": field, **values})
    return ValueRefused(field, code, message, value)


def shown(value: object) -> str:
    """Shorten a value to one printable line for messages."""
    if isinstance(value, int) and abs(value) > 10**SHOWN_MAX:
        return "a very large number"
    text = str(value if not isinstance(value, list | dict) else type(value).__name__)
    text = "".join(
        character if character.isprintable() else " " for character in text[: SHOWN_MAX + 1]
    )
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"
