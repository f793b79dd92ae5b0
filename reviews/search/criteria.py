"""What a search asks for, folded and resolved: all that the statements need to know of it."""

import datetime as dt
from collections.abc import Iterable
from typing import NamedTuple

from review_analysis.name_matching import Roster
from review_analysis.text import fold_for_search
from reviews.search.parameters import Search
from reviews.stars import STARS


class Criteria(NamedTuple):
    """What a visible review must satisfy: the filters of a search, folded and resolved."""

    ratings: tuple[int, ...] | None = None  # None for any.
    since: dt.date | None = None
    until: dt.date | None = None
    needle: str = ""
    mentions: tuple[tuple[str, str], ...] = ()  # (kind, subject); the review has all of them.
    sources: tuple[str, ...] = ()  # Any of them; none for all.
    language: str = ""
    has_text: bool | None = None
    has_reply: bool | None = None
    changed_since: dt.datetime | None = None

    @property
    def is_of_one_index(self) -> bool:
        """Whether the index of all reviews by day holds all that is asked for."""
        return not self.needle and not self.mentions

    @property
    def contents(self) -> "Criteria":
        """The same without bounds on stars and days."""
        return self._replace(ratings=None, since=None, until=None)

    @property
    def attributes(self) -> "Criteria":
        """What is asked for besides stars, days, words and mentions."""
        return self.contents._replace(needle="", mentions=())

    @property
    def has_attributes(self) -> bool:
        return self.attributes != Criteria()

    @property
    def has_bounds(self) -> bool:
        """Whether it asks for certain ratings or days, which an index knows."""
        return self.ratings is not None or self.since is not None or self.until is not None


def criteria(search: Search, roster: Roster | None) -> Criteria | None:
    """What `search` asks for, or None if nothing can match it.

    Only a search that names a technician or a service needs the roster.
    """
    least, most = search.min_rating or STARS[0], search.max_rating or STARS[-1]
    asked = STARS if search.rating is None else (search.rating,)
    ratings = tuple(stars for stars in asked if least <= stars <= most)
    if search.since is not None and search.until is not None and search.since > search.until:
        return None
    mentions = tuple(_resolved(search, roster)) if roster is not None else ()
    if ratings == () or any(subject is None for _, subject in mentions):
        return None
    return Criteria(
        ratings=None if ratings == STARS else ratings,
        since=search.since,
        until=search.until,
        needle=fold_for_search(search.query),
        mentions=tuple((kind, subject) for kind, subject in mentions if subject is not None),
        sources=search.source,
        language=search.language,
        has_text=search.has_text,
        has_reply=search.has_reply,
        changed_since=search.changed_since,
    )


def _resolved(search: Search, roster: Roster) -> Iterable[tuple[str, str | None]]:
    if search.mentions_technician:
        yield "technician", roster.resolve_technician(search.mentions_technician)
    if search.mentions_service:
        yield "service", roster.resolve_service(search.mentions_service)
