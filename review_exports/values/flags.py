"""Flags: values that mean yes or no."""

import unicodedata
from typing import Any

from review_exports.vocabulary import word_sets

_FLAGS = word_sets("vocabulary/values.toml", "flags")
_VARIATION = "\ufe0e\ufe0f"  # Variation selectors for text and emoji style.


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        return ""
    text = unicodedata.normalize("NFKC", str(value)[:500]).strip(" \t\r\n" + _VARIATION)
    return text.casefold().rstrip(".!")


def read_yes_no(value: Any) -> bool | None:
    """Read a flag; None if the value is neither yes nor no."""
    word = _word(value)
    return True if word in _FLAGS["yes"] else False if word in _FLAGS["no"] else None


def read_flag(value: Any) -> bool | None:
    """Read a flag or a word for a verified purchase; None for other values."""
    if (flag := read_yes_no(value)) is not None:
        return flag
    word = _word(value)
    return True if word in _FLAGS["verified"] else False if word in _FLAGS["not_verified"] else None
