"""Random choices, the same on every machine and in every version of Python.

Only `random()` and `getrandbits()` of a seeded generator are used, whose results Python keeps from
version to version; no clock, no hash, no order of sets.
"""

import datetime as dt
import random
import re
from collections.abc import Sequence
from functools import cache

from demo.showcase import seeded_ulid


class SeededRandom:
    """Random numbers from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311  (repeatable, not secret)

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def below(self, limit: int) -> int:
        return int(self._random.random() * limit)

    def pick(self, choices: Sequence[str]) -> str:
        return choices[self.below(len(choices))]

    def weighted(self, choices: Sequence[tuple[str, float]]) -> str:
        total = 0.0
        for _, weight in choices:
            total += weight  # Not `sum`, which rounds differently since Python 3.12.
        left = self._random.random() * total
        for choice, weight in choices:
            left -= weight
            if left < 0:
                return choice
        return choices[-1][0]

    def expand(self, template: str) -> str:
        """The template with one alternative of each group."""
        text = "".join(
            [part if isinstance(part, str) else self.pick(part) for part in _parts(template)]
        )
        return " ".join(text.split()).replace(" ,", ",")

    def ulid(self, date: dt.date) -> str:
        return seeded_ulid(self._random, date)


@cache
def _parts(template: str) -> list[str | list[str]]:
    """`a {b|c} d` as `["a ", ["b", "c"], " d"]`."""
    parts = re.split(r"\{([^{}]*)\}", template)
    return [part.split("|") if index % 2 else part for index, part in enumerate(parts)]
