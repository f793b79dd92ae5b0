"""What a search asks for, folded and resolved: all that the statements need to know of it."""

import datetime as dt
from collections.abc import Iterable
from typing import NamedTuple

from review_analysis.name_matching import Roster
from review_analysis.text import fold_for_search
from reviews.parameters import Search
from reviews.stars import STARS


class Criteria(NamedTuple):
    """What a visible review must satisfy: the filters of a search, folded and resolved."""

    ratings: tuple[int, ...] | None = None  # None for any.
    since: dt.date | None = None
    until: dt.date | None = None
    needle: str = ""
    mentions: tuple[tuple[str, str], ...] = ()  # (kind, subject); the review has all of them.

    @property
    def is_about_stars_and_days_alone(self) -> bool:
        return not self.needle and not self.mentions

    @property
    def contents(self) -> "Criteria":
        """The same without bounds: what the review says."""
        return Criteria(needle=self.needle, mentions=self.mentions)

    @property
    def has_bounds(self) -> bool:
        """Whether it asks for certain ratings or days, which an index knows."""
        return self.ratings is not None or self.since is not None or self.until is not None


def criteria(search: Search, roster: Roster | None) -> Criteria | None:
    """What `search` asks for, or None if nothing can match it.

    Only a search that names a technician or a service needs the roster.
    """
    ratings = None
    if search.rating is not None or search.min_rating is not None:
        asked = STARS if search.rating is None else (search.rating,)
        ratings = tuple(stars for stars in asked if stars >= (search.min_rating or 0))
        if ratings == STARS:
            ratings = None
    if search.since is not None and search.until is not None and search.since > search.until:
        return None
    mentions = tuple(_resolved(search, roster)) if roster is not None else ()
    if ratings == () or any(subject is None for _, subject in mentions):
        return None
    return Criteria(
        ratings=ratings,
        since=search.since,
        until=search.until,
        needle=fold_for_search(search.query),
        mentions=tuple((kind, subject) for kind, subject in mentions if subject is not None),
    )


def _resolved(search: Search, roster: Roster) -> Iterable[tuple[str, str | None]]:
    if search.mentions_technician:
        yield "technician", roster.resolve_technician(search.mentions_technician)
    if search.mentions_service:
        yield "service", roster.resolve_service(search.mentions_service)
