"""Characters of values: normal form, case, width, and what programs write around a cell."""

import re
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


_FORMULA = re.compile(r"'*[=+\-@\t\r]")
# How programs keep a spreadsheet from taking a text for a number or a date.
_QUOTED = re.compile(r'="((?:[^"]|"")*)"\s*', re.DOTALL)


def guard_cell(text: str) -> str:
    """The cell for a CSV that a spreadsheet program may open: never taken for a formula."""
    return "'" + text if _FORMULA.match(text) else text


def unguard_cell(text: str) -> str:
    """The cell as it was before a program guarded it.

    Undoes `guard_cell`, and `="5"`, which keeps a spreadsheet from converting it.
    """
    if text[:2] == '="' and (found := _QUOTED.fullmatch(text)):
        return found[1].replace('""', '"')
    return text[1:] if text[:1] == "'" and _FORMULA.match(text, 1) else text


# Soft hyphen, widths of zero, marks of direction, byte order marks.
_INVISIBLE = dict.fromkeys(
    (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF)
)


def without_invisible(text: str) -> str:
    """A value that is no text, without its invisible characters."""
    return text if text.isascii() else text.translate(_INVISIBLE)


# U+FF01 to U+FF5E are ASCII in the width of an ideograph (Unicode 15, chapter 18.5).
_FULL_WIDTH = {0xFEE0 + code: code for code in range(0x21, 0x7F)} | {0x3000: 0x20}


def half_width(text: str) -> str:
    """The value with full-width digits and marks as ASCII."""
    return text if text.isascii() else text.translate(_FULL_WIDTH)
