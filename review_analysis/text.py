"""The folding by which texts and names are compared, and letters without accents.

Stored folded texts, search needles and roster names all pass through here, so that SQLite and
PostgreSQL give the same answers.
"""

import unicodedata
from collections.abc import Iterator

# UAX #15 13 (Stream-Safe Text Format): no language needs more marks on one letter.
MAX_MARKS = 30


def fold(text: str) -> str:
    """Unicode case folding after NFC."""
    return compose(text).casefold()


def compose(text: str) -> str:
    """NFC, in time that grows with the length of the text alone.

    Sorting thousands of marks stacked on one letter takes the square of their number, so a stack
    of more than `MAX_MARKS` is composed in pieces.
    """
    if unicodedata.is_normalized("NFC", text):
        return text
    return "".join(unicodedata.normalize("NFC", text[slice(*span)]) for span in clusters(text))


def unaccented(text: str) -> str:
    """The letters alone: José is Jose."""
    letters = unicodedata.normalize("NFD", text)
    return compose("".join(char for char in letters if unicodedata.category(char) != "Mn"))


def clusters(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a text that compose independently: a letter with what combines with it."""
    start = 0
    for index, char in enumerate(text):
        if not _combines(char) or index - start > MAX_MARKS:
            if index:
                yield start, index
            start = index
    if text:
        yield start, len(text)


def _combines(char: str) -> bool:
    """Whether `char` may join what stands before it: a mark, or a Hangul vowel or final."""
    return char > "\u02ff" and (
        unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
    )
