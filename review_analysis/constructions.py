"""Phrases with gaps that praise or blame as a whole, compiled from `constructions.txt`."""

import re
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("constructions.txt")
_GAP = r"(?: (?!(?:no|not|never|without|nothing|\w+n't) )[\w'-]+){0,6}?"


class Construction(NamedTuple):
    pattern: re.Pattern[str]
    weight: float
    opens: bool  # Matches only at the beginning of a sentence.


class Match(NamedTuple):
    size: int  # In words.
    weight: float


class Constructions:
    """Constructions, indexed by their first words. Immutable."""

    def __init__(self, source: str) -> None:
        self._by_head: dict[str, list[Construction]] = {}
        for line in source.splitlines():
            if line and not line.startswith("#"):
                weight, head, *rest = line.split()
                # The pattern matches from the end of the head on.
                found = Construction(
                    re.compile("".join(_part(part) for part in rest) + "(?= |$)"),
                    float(weight),
                    head.startswith("^"),
                )
                for word in head.removeprefix("^").split("|"):
                    self._by_head.setdefault(word, []).append(found)

    def find(self, words: list[str], text: str) -> dict[int, Match]:
        """Find constructions that do not overlap, by the index of their first word."""
        found: dict[int, Match] = {}
        ends = [end - 1 for end in accumulate(len(word) + 1 for word in words)]
        free = 0
        for index, word in enumerate(words):
            if index < free:
                continue
            for construction in self._by_head.get(word, ()):
                match = construction.pattern.match(text, ends[index])
                if match and not (construction.opens and index):
                    size = match[0].count(" ") + 1
                    found[index] = Match(size, construction.weight)
                    free = index + size
                    break
        return found


def _part(part: str) -> str:
    if part == "~":
        return _GAP
    words = "|".join(_word(word) for word in part.removesuffix("?").split("|"))
    return f"(?: (?:{words}))" + ("?" if part.endswith("?") else "")


def _word(word: str) -> str:
    return r"\w+" + word[1:] if word.startswith("+") else re.escape(word)


@cache
def load() -> Constructions:
    return Constructions(_FILE.read_text("utf-8"))
