"""The reviews that say one thing, in memory: stars and days of them then cost no query."""

from array import array
from bisect import bisect_left
from itertools import islice

from reviews.parameters import Position
from reviews.search import Count, Criteria, Place

KEY_CHARACTERS = 36  # YYYY-MM-DD and a ULID.
AFTER_ANY_ULID = "~"


class Matches:
    """Where the matches of a needle or a mention are: 45 bytes for each of them."""

    def __init__(self, places: list[Place]) -> None:
        places.sort()
        self._keys = "".join([key for key, _, _ in places])
        self._ratings = bytes([rating for _, rating, _ in places])
        self._ids = array("q", [pk for _, _, pk in places])

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return len(self._ids) * (KEY_CHARACTERS + 9)

    def count(self, wanted: Criteria) -> Count:
        """How many of them are inside the bounds."""
        first, last = self._between(wanted)
        if wanted.ratings is None:
            return Count(last - first)
        return Count(sum(self._ratings.count(stars, first, last) for stars in wanted.ratings))

    def newest(self, wanted: Criteria, after: Position | None, size: int) -> list[int]:
        """The ids of the newest `size` that are inside the bounds and follow the position."""
        first, last = self._between(wanted)
        if after is not None:
            last = min(last, self._place(after.date.isoformat() + after.ulid))
        downwards = range(last - 1, first - 1, -1)
        if wanted.ratings is not None:
            ratings = self._ratings
            asked = frozenset(wanted.ratings)
            return [
                self._ids[at] for at in islice((i for i in downwards if ratings[i] in asked), size)
            ]
        return [self._ids[at] for at in downwards[:size]]

    def _between(self, wanted: Criteria) -> tuple[int, int]:
        first = self._place(wanted.since.isoformat()) if wanted.since else 0
        last = len(self._ids)
        if wanted.until is not None:
            last = self._place(wanted.until.isoformat() + AFTER_ANY_ULID)
        return first, max(first, last)

    def _place(self, key: str) -> int:
        return bisect_left(range(len(self._ids)), key, key=self._key)

    def _key(self, at: int) -> str:
        return self._keys[at * KEY_CHARACTERS : (at + 1) * KEY_CHARACTERS]
