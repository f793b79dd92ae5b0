"""The reviews that say one thing, in memory: stars and days of them then cost no query."""

from array import array
from bisect import bisect_left
from itertools import islice

from reviews.parameters import Position
from reviews.places import end_of, key_of, stars_of, start_of, start_of_its_day
from reviews.search import STARS, Count, Criteria


class Matches:
    """Where the matches of a needle or a mention are: 9 bytes for each of them."""

    def __init__(self, places: list[int]) -> None:
        places.sort()
        self._places = array("q", places)
        self._stars = bytes(map(stars_of, places))

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return len(self._places) * 9

    def count(self, wanted: Criteria) -> Count:
        """How many of them are inside the bounds."""
        first, last = self._between(wanted)
        if wanted.ratings is None:
            return Count(last - first)
        return Count(sum(self._stars.count(stars, first, last) for stars in wanted.ratings))

    def newest(self, wanted: Criteria, after: Position | None, size: int) -> list[int]:
        """Ids that hold the newest `size` inside the bounds that follow the position.

        The days on which they begin and end are whole, since a place knows no ULID.
        """
        first, last = self._between(wanted)
        begun = last
        if after is not None:
            last = min(last, self._at(end_of(after.date)))
            begun = min(last, self._at(start_of(after.date)))
        asked = frozenset(wanted.ratings or STARS)
        downwards = (at for at in range(begun - 1, first - 1, -1) if self._stars[at] in asked)
        oldest = next(islice(downwards, size - 1, None), None)
        if oldest is not None:
            first = max(first, self._at(start_of_its_day(self._places[oldest])))
        return [key_of(self._places[at]) for at in range(first, last) if self._stars[at] in asked]

    def _between(self, wanted: Criteria) -> tuple[int, int]:
        first = self._at(start_of(wanted.since)) if wanted.since else 0
        last = self._at(end_of(wanted.until)) if wanted.until else len(self._places)
        return first, max(first, last)

    def _at(self, place: int) -> int:
        return bisect_left(self._places, place)
