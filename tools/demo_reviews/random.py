"""Random choices that are reproducible on every machine and version of Python.

They use only `random()` and `getrandbits()`, whose results are stable across versions of Python.
"""

import datetime as dt
import random
import re
from collections.abc import Sequence
from functools import cache

from demo.showcase import seeded_ulid


class SeededRandom:
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
            total += weight  # `sum` rounds differently since Python 3.12.
        left = self._random.random() * total
        for choice, weight in choices:
            left -= weight
            if left < 0:
                return choice
        return choices[-1][0]

    def expand(self, template: str) -> str:
        """Choose one alternative per group of a template like `a {b|c} d`."""
        text = "".join(
            [part if isinstance(part, str) else self.pick(part) for part in _parts(template)]
        )
        return " ".join(text.split()).replace(" ,", ",")

    def ulid(self, date: dt.date) -> str:
        return seeded_ulid(self._random, date)


@cache
def _parts(template: str) -> list[str | list[str]]:
    """Split `a {b|c} d` into `["a ", ["b", "c"], " d"]`."""
    parts = re.split(r"\{([^{}]*)\}", template)
    return [part.split("|") if index % 2 else part for index, part in enumerate(parts)]
