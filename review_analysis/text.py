"""The folding by which texts and names are compared, and letters without accents.

Stored folded texts, search needles and roster names all pass through here, so that SQLite and
PostgreSQL give the same answers.
"""

import re
import unicodedata
from collections.abc import Iterator

# UAX #15 13 (Stream-Safe Text Format): no language needs more marks on one letter.
MAX_MARKS = 30


def fold(text: str) -> str:
    """Unicode case folding after NFC."""
    return compose(text).casefold()


# The quotes and dashes of phones and word processors, by those of a keyboard.
_TYPED = str.maketrans(
    {
        **dict.fromkeys(
            "\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\u2039\u203a", "'"
        ),
        **dict.fromkeys("\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u301d\u301e\u301f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63", "-"),
        "\uff07": "'",
        "\uff02": '"',
        "\uff0d": "-",
    }
)
_SPACES = re.compile(r"\s+")


def fold_for_search(text: str) -> str:
    """The text as searches compare it: folded, with the quotes, dashes and spaces of a keyboard.

    A run of white space is one space.
    """
    return _SPACES.sub(" ", fold(text).translate(_TYPED))


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
