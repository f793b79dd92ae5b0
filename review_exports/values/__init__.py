"""Value rules: the spellings of files become one value, or are refused.

Every refusal is a `ValueRefused` that names the field and the remedy. Nothing is guessed: a value
that could mean two things is refused, so that importing a file again always gives the same reviews.
"""

from typing import Any, Final

from review_exports.vocabulary import coded_message

SHOWN_MAX: Final = 80


class ValueRefused(Exception):
    """A value that cannot be taken in; `value` is the shortened value as the file has it."""

    def __init__(self, field: str | None, code: str, message: str, value: object = "") -> None:
        super().__init__(message)
        self.field = field
        self.code = code
        self.message = message
        self.value = shown(value)


def value_refused(key: str, field: str, value: object = "", **values: Any) -> ValueRefused:
    """A refusal of a value by `messages.toml`."""
    code, message = coded_message("values", key, {"field": field, **values})
    return ValueRefused(field, code, message, value)


def shown(value: object) -> str:
    """The value shortened for a list of errors: one printable line."""
    if isinstance(value, int) and abs(value) > 10**SHOWN_MAX:
        return "a very large number"
    text = str(value if not isinstance(value, list | dict) else type(value).__name__)
    text = "".join(
        character if character.isprintable() else " " for character in text[: SHOWN_MAX + 1]
    )
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"
