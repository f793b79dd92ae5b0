"""Yes and no in the spellings of languages, spreadsheets and databases."""

import unicodedata
from typing import Any

from review_exports.vocabulary import word_sets

_WORDS = word_sets("vocabulary/values.toml", "flags")
_VARIATION = "\ufe0e\ufe0f"  # Whether a sign is text or picture.


def folded_word(value: Any) -> str:
    """A cell or member in one spelling; empty where it holds no plain value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        return ""
    text = unicodedata.normalize("NFKC", str(value)[:500]).strip(" \t\r\n" + _VARIATION)
    return text.casefold()


def read_yes_no(value: Any) -> bool | None:
    """Yes or no; None where the value is neither."""
    if isinstance(value, bool):
        return value
    word = folded_word(value).rstrip(".!")
    return True if word in _WORDS["yes"] else False if word in _WORDS["no"] else None


def read_flag(value: Any) -> bool | None:
    """Yes or no, also in the words for a verified purchase; None where the file does not say."""
    if (flag := read_yes_no(value)) is not None:
        return flag
    word = folded_word(value)
    return True if word in _WORDS["verified"] else False if word in _WORDS["not_verified"] else None
