"""How words are spelt, whatever way a customer writes them; the pairs are in `spelling.txt`."""

import re
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("spelling.txt")
_WORD = re.compile(r"[^\W\d_]+")
_BLANKS = str.maketrans(dict.fromkeys((chr(n) for n in range(128) if not chr(n).isalpha()), " "))


def respell(text: str) -> tuple[str, list[int]] | None:
    """The text in the usual spelling, and for each of its characters (and its end) the place of it
    in the text given; None for a text that is spelt so already.
    """
    right = _pairs()
    low = text.lower()
    # Most texts are ASCII, which is taken apart three times as fast without a pattern.
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
    """Unlike "HR" and "U": what is short and in capitals is an abbreviation."""
    return word[-1].islower() or len(word) > 4


@cache
def _pairs() -> dict[str, str]:
    """The right spelling of each other one."""
    pairs: dict[str, str] = {}
    for line in _FILE.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            right, _, others = line.partition(": ")
            pairs |= dict.fromkeys(others.split(), right)
    return pairs
