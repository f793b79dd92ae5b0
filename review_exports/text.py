"""Unicode normalisation and case folding."""

import unicodedata
from collections.abc import Iterator

# UAX #15 13 (Stream-Safe Text Format): no language needs more marks on one letter.
_MAX_MARKS = 30


def compose(text: str) -> str:
    """NFC, in time that grows with the length of the text alone.

    Sorting thousands of marks stacked on one letter takes the square of their number, so a stack
    of more than thirty is composed in several parts.
    """
    if unicodedata.is_normalized("NFC", text):
        return text
    return "".join(unicodedata.normalize("NFC", cluster) for cluster in _clusters(text))


def fold(text: str) -> str:
    """Unicode case folding after NFC."""
    return compose(text).casefold()


def _clusters(text: str) -> Iterator[str]:
    """Letters with the marks that combine with them, which compose independently."""
    start = 0
    for index, char in enumerate(text):
        if not _combines(char) or index - start > _MAX_MARKS:
            if index:
                yield text[start:index]
            start = index
    yield text[start:]


def _combines(char: str) -> bool:
    """Whether the character is a mark, or a Hangul vowel or final consonant."""
    return char > "\u02ff" and (
        unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
    )
