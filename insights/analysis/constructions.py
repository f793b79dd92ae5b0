"""Turns of phrase with gaps that praise or blame as a whole, compiled from `constructions.txt`."""

import re
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("constructions.txt")
_GAP = r"(?: [\w'-]+){0,6}?"


class Construction(NamedTuple):
    pattern: re.Pattern[str]
    weight: float
    opens: bool  # Only at the beginning of a sentence.


class Match(NamedTuple):
    size: int  # In words.
    weight: float


class Constructions:
    """By the words that they begin with. Do not change it."""

    def __init__(self, source: str) -> None:
        self.by_head: dict[str, list[Construction]] = {}
        for line in source.splitlines():
            if line and not line.startswith("#"):
                weight, head, *rest = line.split()
                # The head stands in the text without a blank before it.
                found = Construction(
                    re.compile("".join(_part(piece) for piece in rest) + "(?= |$)"),
                    float(weight),
                    head.startswith("^"),
                )
                for word in head.removeprefix("^").split("|"):
                    self.by_head.setdefault(word, []).append(found)

    def find(self, words: list[str], text: str) -> dict[int, Match]:
        """What begins at which of the words (joined in `text`); none begins within another."""
        found: dict[int, Match] = {}
        if self.by_head.keys().isdisjoint(words):
            return found
        ends = list(accumulate(map(len, words), lambda end, size: end + 1 + size))
        free = 0
        for index, word in enumerate(words):
            if index < free or word not in self.by_head:
                continue
            for construction in self.by_head[word]:
                if construction.opens and index:
                    continue
                if match := construction.pattern.match(text, ends[index]):
                    size = match[0].count(" ") + 1
                    found[index] = Match(size, construction.weight)
                    free = index + size
                    break
        return found


def _part(piece: str) -> str:
    if piece == "~":
        return _GAP
    words = "|".join(_word(word) for word in piece.removesuffix("?").split("|"))
    return f"(?: (?:{words}))" + ("?" if piece.endswith("?") else "")


def _word(word: str) -> str:
    return r"\w+" + word[1:] if word.startswith("+") else re.escape(word)


@cache
def load() -> Constructions:
    return Constructions(_FILE.read_text("utf-8"))
