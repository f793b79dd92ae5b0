"""Characters of values: normal form, case, width, and guards against formulas."""

import re
import unicodedata
from collections.abc import Iterator

# Stream-Safe Text Format (UAX #15 13): no language needs more marks on one letter.
_MAX_MARKS = 30


def compose(text: str) -> str:
    """Normalise a text to NFC in linear time.

    Sorting thousands of marks on one letter takes quadratic time, so a run of more than thirty
    marks is normalised in parts.
    """
    if unicodedata.is_normalized("NFC", text):
        return text
    return "".join(unicodedata.normalize("NFC", cluster) for cluster in _clusters(text))


def fold(text: str) -> str:
    """Fold the case of a text after normalising it to NFC."""
    return compose(text).casefold()


def _clusters(text: str) -> Iterator[str]:
    """Yield letters with their combining marks, which can be normalised independently."""
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
# A formula like `="5"`, which keeps a spreadsheet from converting a text to a number or date.
_QUOTED = re.compile(r'="((?:[^"]|"")*)"\s*', re.DOTALL)


def guard_cell(text: str) -> str:
    """Guard a cell of a CSV, so that no spreadsheet program runs it as a formula."""
    return "'" + text if _FORMULA.match(text) else text


def unguard_cell(text: str) -> str:
    """Remove the guard of `guard_cell`, or of a text formula like `="5"`."""
    if text[:2] == '="' and (found := _QUOTED.fullmatch(text)):
        return found[1].replace('""', '"')
    return text[1:] if text[:1] == "'" and _FORMULA.match(text, 1) else text


# Soft hyphens, zero-width characters, direction marks, byte order marks.
_INVISIBLE = dict.fromkeys(
    (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF)
)


def without_invisible(text: str) -> str:
    """Remove invisible characters from a value that is not a text."""
    return text if text.isascii() else text.translate(_INVISIBLE)


# U+FF01 to U+FF5E are ASCII in the width of an ideograph (Unicode 15, chapter 18.5).
_FULL_WIDTH = {0xFEE0 + code: code for code in range(0x21, 0x7F)} | {0x3000: 0x20}


def half_width(text: str) -> str:
    """Convert full-width digits and marks to ASCII."""
    return text if text.isascii() else text.translate(_FULL_WIDTH)
