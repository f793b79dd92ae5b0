"""The reviews that say one thing, in memory: stars and days of them then cost no query."""

from array import array
from bisect import bisect_left

from reviews.search.criteria import Criteria
from reviews.search.fields import Position
from reviews.search.packed_rowids import end_of, key_of, page_among, stars_of, start_of
from reviews.search.query import Count
from reviews.stars import STARS


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

    def page(
        self, wanted: Criteria, after: Position | None, size: int, *, oldest: bool = False
    ) -> list[int]:
        """Ids that hold the first `size` inside the bounds that follow the position."""
        first, last = self._between(wanted)
        if after is not None and oldest:
            first = max(first, self._at(start_of(after.date)))
        elif after is not None:
            last = min(last, self._at(end_of(after.date)))
        places, stars = self._places, self._stars
        asked = frozenset(wanted.ratings or STARS)
        in_order = range(first, last) if oldest else range(last - 1, first - 1, -1)
        matching = ((places[at],) for at in in_order if stars[at] in asked)
        return [key_of(place) for (place,) in page_among(matching, after, size)]

    def _between(self, wanted: Criteria) -> tuple[int, int]:
        first = self._at(start_of(wanted.since)) if wanted.since else 0
        last = self._at(end_of(wanted.until)) if wanted.until else len(self._places)
        return first, max(first, last)

    def _at(self, place: int) -> int:
        return bisect_left(self._places, place)
