"""Pure: the envelope in which Google puts a text and its translation."""

from typing import NamedTuple


class Translation(NamedTuple):
    text: str
    translated: str
    is_translation_only: bool


_MARKER = "(Translated by Google)"
_ORIGINAL = "(Original)"


def split_translation(text: str) -> Translation:
    """Original and translation of a text in Google's envelope, whichever comes first in it.

    Where the original was cut off the translation stays as the text, and the answer says so.
    """
    before, marker, after = text.partition(_MARKER)
    if not marker:
        return Translation(text, "", is_translation_only=False)
    before, after = before.strip(), after.strip()
    if before:
        return Translation(before, after, is_translation_only=False)
    translated, _, original = after.partition(_ORIGINAL)
    translated, original = translated.strip(), original.strip()
    if original:
        return Translation(original, translated, is_translation_only=False)
    return Translation(translated, "", is_translation_only=True)
