"""Unicode normalisation, case folding and spelling correction.

Stored folded texts, search terms and names of the roster are folded here, so that SQLite and
PostgreSQL return the same results.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Limit of the Stream-Safe Text Format (UAX #15 13); no language needs more.
MAX_MARKS = 30
# Typographic quotes and dashes, by those of a keyboard.
_TYPED = str.maketrans(
    dict.fromkeys(
        "\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\u2039\u203a\uff07", "'"
    )
    | dict.fromkeys("\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u301d\u301e\u301f\uff02", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d", "-")
)
_SPACES = re.compile(r"\s+")


def fold(text: str) -> str:
    """Normalise to NFC and fold the case."""
    return compose(text).casefold()


def fold_for_search(text: str) -> str:
    """Fold case, and write quotes, dashes and white space as a keyboard does."""
    return _SPACES.sub(" ", fold(text).translate(_TYPED))


def compose(text: str) -> str:
    """Normalise to NFC in linear time.

    `unicodedata` sorts the marks on a letter in quadratic time, so more than `MAX_MARKS` of them
    are composed in parts.
    """
    if unicodedata.is_normalized("NFC", text):
        return text
    return "".join(unicodedata.normalize("NFC", text[slice(*span)]) for span in clusters(text))


def unaccented(text: str) -> str:
    """Remove accents: "José" becomes "Jose"."""
    letters = unicodedata.normalize("NFD", text)
    return compose("".join(char for char in letters if unicodedata.category(char) != "Mn"))


def clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans that compose independently: a letter with its combining characters."""
    start = 0
    for index, char in enumerate(text):
        if not _combines(char) or index - start > MAX_MARKS:
            if index:
                yield start, index
            start = index
    if text:
        yield start, len(text)


def _combines(char: str) -> bool:
    """Whether `char` may combine with the preceding one: a mark, or a Hangul vowel or final."""
    return char > "\u02ff" and (
        unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
    )


# --- Offsets in folded, composed and original texts -----------------------------------------------


class Text:
    """A text in composed and folded form. Folding may lengthen the text: ß becomes ss."""

    __slots__ = ("_positions", "folded", "nfc")

    def __init__(self, nfc: str, folded: str) -> None:
        self.nfc = nfc
        self.folded = folded
        self._positions: list[int] | None = None
        if len(folded) != len(nfc):
            self._positions = [index for index, char in enumerate(nfc) for _ in char.casefold()] + [
                len(nfc)
            ]

    @property
    def is_aligned(self) -> bool:
        """Whether offsets in both forms are equal."""
        return self._positions is None

    def composed_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span in the composed text, None if it would split a character."""
        if self._positions is None:
            return start, end
        if start and self._positions[start - 1] == self._positions[start]:
            return None
        if self._positions[end - 1] == self._positions[end]:
            return None
        return self._positions[start], self._positions[end]


def compose_with_origins(text: str) -> tuple[str, list[int] | None]:
    """Normalise to NFC, and return the original offset of each character and the end.

    The offsets are None if the text is in NFC already.
    """
    if unicodedata.is_normalized("NFC", text):
        return text, None
    letters: list[str] = []
    origins: list[int] = []
    for start, end in clusters(text):
        letters.append(unicodedata.normalize("NFC", text[start:end]))
        is_same = letters[-1] == text[start:end]
        origins += range(start, end) if is_same else [start] * len(letters[-1])
    return "".join(letters), [*origins, len(text)]


def to_original(origins: list[int] | None, start: int, end: int) -> tuple[int, int]:
    """Convert a span of the composed text to the original one."""
    if origins is None:
        return start, end
    first, last = origins[start], origins[end]
    while end < len(origins) - 1 and last == origins[end - 1]:
        end += 1
        last = origins[end]
    return first, last


# --- Spelling -------------------------------------------------------------------------------------


_FILE = Path(__file__).with_name("spelling.txt")
_WORD = re.compile(r"[^\W\d_]+")
_BLANKS = str.maketrans(dict.fromkeys((chr(n) for n in range(128) if not chr(n).isalpha()), " "))


def respell(text: str) -> tuple[str, list[int]] | None:
    """Correct the spelling, and return the original offset of each character and the end.

    Returns None if there is nothing to correct.
    """
    right = _pairs()
    low = text.lower()
    # For ASCII, the most common case, this is three times as fast as the pattern.
    words = low.translate(_BLANKS).split() if low.isascii() else _WORD.findall(low)
    if right.keys().isdisjoint(words):
        return None
    parts: list[str] = []
    origins: list[int] = []
    done = 0
    for match in _WORD.finditer(text):
        word = match[0]
        spelt = right.get(word.lower())
        if spelt is None or not _is_written_plainly(word):
            continue
        start, end = match.span()
        spelt = spelt.capitalize() if word[0].isupper() else spelt
        parts += text[done:start], spelt
        origins += range(done, start)
        origins += (min(start + index, end - 1) for index in range(len(spelt)))
        done = end
    if not done:
        return None
    parts.append(text[done:])
    origins += range(done, len(text) + 1)
    return "".join(parts), origins


def _is_written_plainly(word: str) -> bool:
    """Whether a word is not an abbreviation, like "HR" and "U"."""
    return word[-1].islower() or len(word) > 4


@cache
def _pairs() -> dict[str, str]:
    """Return the correct spelling of each misspelling."""
    pairs: dict[str, str] = {}
    for line in _FILE.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            right, _, others = line.partition(": ")
            pairs |= dict.fromkeys(others.split(), right)
    return pairs
