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
    seconds: frozenset[str]  # Possible second words; empty: any.


class Match(NamedTuple):
    size: int  # In words.
    weight: float


class Constructions:
    """Constructions, indexed by their first and second words. Immutable."""

    def __init__(self, source: str) -> None:
        by_head: dict[str, list[Construction]] = {}
        for line in source.splitlines():
            if line and not line.startswith("#"):
                weight, head, *rest = line.split()
                # The pattern matches from the end of the head on.
                found = Construction(
                    re.compile("".join(_part(part) for part in rest) + "(?= |$)"),
                    float(weight),
                    head.startswith("^"),
                    _seconds(rest),
                )
                for word in head.removeprefix("^").split("|"):
                    by_head.setdefault(word, []).append(found)
        self._by_head = {head: _by_second(known) for head, known in by_head.items()}

    def find(self, words: list[str], text: str) -> dict[int, Match]:
        """Find constructions that do not overlap, by the index of their first word."""
        found: dict[int, Match] = {}
        ends: list[int] = []  # Ends of the words in the text, computed for few sentences.
        free = 0
        for index in [index for index, word in enumerate(words) if word in self._by_head]:
            if index < free:
                continue
            by_second = self._by_head[words[index]]
            second = words[index + 1] if index + 1 < len(words) else ""
            if likely := by_second[second if second in by_second else ""]:
                ends = ends or [end - 1 for end in accumulate(len(word) + 1 for word in words)]
                for construction in likely:
                    if construction.opens and index:
                        continue
                    if match := construction.pattern.match(text, ends[index]):
                        size = match[0].count(" ") + 1
                        found[index] = Match(size, construction.weight)
                        free = index + size
                        break
        return found


def _by_second(known: list[Construction]) -> dict[str, list[Construction]]:
    """Group constructions by second word; the key "" is for all other second words."""
    seconds = frozenset[str]().union(*(construction.seconds for construction in known))
    return {
        second: [c for c in known if not c.seconds or second in c.seconds]
        for second in (*sorted(seconds), "")
    }


def _seconds(parts: list[str]) -> frozenset[str]:
    """Return the possible first words of these parts, empty if any word is possible."""
    words: set[str] = set()
    for part in parts:
        choices = part.removesuffix("?").split("|")
        if part == "~" or any(word.startswith("+") for word in choices):
            return frozenset()
        words.update(choices)
        if not part.endswith("?"):
            return frozenset(words)
    return frozenset()


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
