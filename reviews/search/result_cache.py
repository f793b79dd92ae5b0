"""Finished answers to searches, kept in this process for as long as the reviews stay as they are.

An answer joins the published fragments of its reviews, and its ETag is a hash of its bytes: every
process and every machine with the same reviews gives the same one.
"""

import datetime as dt
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock

import orjson

from core.db.snapshot import read_snapshot
from review_analysis.name_matching import Roster
from reviews.roster import load_roster
from reviews.search.criteria import Criteria, criteria
from reviews.search.fields import HIGHEST, LOWEST, OLDEST, Position, cursor_text
from reviews.search.match_cache import Matches
from reviews.search.parameters import Search, query_string
from reviews.search.query import (
    Count,
    Histogram,
    Page,
    count,
    counted,
    find_page,
    find_places,
    find_removed,
    find_rows,
    find_words,
    is_indexed,
    known_count,
)
from reviews.search.revision_cache import revision_cache
from reviews.search.words import Words
from reviews.selectors import AggregateRating, aggregate_rating, visible_sources
from reviews.stars import STARS

KEPT_BYTES = 16 * 1024 * 1024
KEPT_MATCHES_BYTES = 16 * 1024 * 1024
KEPT_HISTOGRAMS = 50
KEPT_OF_EACH = 10_000  # Answers and matches of nothing have hardly a byte, and take memory too.


class SearchAnswer:
    """The search result as JSON text. What headers tell of it is made when it is asked for."""

    def __init__(self, body: bytes, search: Search, cursor: str | None) -> None:
        self.body = body
        self._search = search
        self._cursor = cursor

    def naming(self, ignored: Sequence[str]) -> "SearchAnswer":
        """The same with the names of parameters that were ignored."""
        body = b'%b,"ignored_parameters":%b}' % (self.body[:-1], orjson.dumps(ignored))
        return SearchAnswer(body, self._search, self._cursor)

    @cached_property
    def etag(self) -> str:
        """Strong."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def next_page(self) -> str | None:
        """The query string of the next page."""
        return None if self._cursor is None else query_string(self._search, self._cursor)


class SearchCache:
    """What has been found out about the reviews as of one revision; for all threads."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        self._counts: dict[Criteria, Count] = {}
        self._histograms: dict[Criteria, Histogram] = {}  # By the attributes asked for.
        self._matches: dict[Criteria, Matches | None] = {}  # None: too many.
        self._matches_bytes = 0
        self._asked_once: set[Criteria] = set()
        self._answers: OrderedDict[Search, SearchAnswer] = OrderedDict()
        self._bytes = 0
        self._roster: Roster | None = None
        self._rating: AggregateRating | None = None
        self._sources: list[str] | None = None
        self._lock = Lock()

    def roster(self) -> Roster:
        if self._roster is None:
            self._roster = load_roster()
        return self._roster

    def rating(self) -> AggregateRating:
        if self._rating is None:
            self._rating = aggregate_rating()
        return self._rating

    def sources(self) -> list[str]:
        if self._sources is None:
            self._sources = visible_sources()
        return self._sources

    def recall(self, search: Search) -> SearchAnswer | None:
        with self._lock:
            answer = self._answers.get(search)
            if answer is not None:
                self._answers.move_to_end(search)
            return answer

    def keep(self, search: Search, answer: SearchAnswer) -> None:
        """Remember the answer; the ones that were not asked for the longest make room."""
        with self._lock:
            if search not in self._answers:
                self._answers[search] = answer
                self._bytes += _size(search, answer)
            while self._bytes > KEPT_BYTES or len(self._answers) > KEPT_OF_EACH:
                self._bytes -= _size(*self._answers.popitem(last=False))

    def known_count(self, wanted: Criteria, words: Words | None) -> Count | None:
        """The count, if it takes no statement to tell."""
        if wanted.is_of_one_index and (known := self._histograms.get(wanted.attributes)):
            return known.count(wanted)
        return self._counts.get(wanted) or known_count(wanted, words)

    def find_count(self, wanted: Criteria, words: Words | None) -> Count:
        # Those who follow changes ask each time since another moment.
        if wanted.is_of_one_index and wanted.changed_since is None:
            if len(self._histograms) >= KEPT_HISTOGRAMS:
                self._histograms.clear()
            histogram = self._histograms[wanted.attributes] = Histogram(wanted)
            return histogram.count(wanted)
        if len(self._counts) >= KEPT_OF_EACH:
            self._counts.clear()
        found = self._counts[wanted] = count(wanted, words)
        return found

    def find_matches(self, wanted: Criteria) -> Matches | None:
        """All matches inside and outside the bounds, if they are few enough to be kept.

        Whoever asks for other stars or days of the same needle then waits for no count. They are
        looked for when a needle is asked for once more: of a common word they are so many that the
        first answer would take twice as long.
        """
        if not wanted.has_bounds or not is_indexed(wanted):
            return None
        contents = wanted.contents
        with self._lock:
            if contents in self._matches:
                return self._matches[contents]
            if contents not in self._asked_once:
                if len(self._asked_once) >= KEPT_OF_EACH:
                    self._asked_once.clear()
                self._asked_once.add(contents)
                return None
        places = find_places(contents, find_words(contents.needle))
        found = None if places is None else Matches(places)
        with self._lock:
            if self._matches_bytes > KEPT_MATCHES_BYTES or len(self._matches) >= KEPT_OF_EACH:
                self._matches.clear()
                self._matches_bytes = 0
            self._matches[contents] = found
            self._matches_bytes += found.size if found else 0
        return found


def _size(search: Search, answer: SearchAnswer) -> int:
    """Bytes in memory, about: a name may be as long as an address can be."""
    names = (search.mentions_technician, search.mentions_service, *search.source)
    return len(answer.body) + sum(map(len, names))


_memory = SearchCache(0)


def search_reviews(search: Search) -> SearchAnswer:
    """The answer to `search`, from memory if the reviews are still those it was made from.

    It is as of one moment, which is at most `VERSION_POLL_MS` past.
    """
    if search.ignored:
        return search_reviews(search._replace(ignored=())).naming(search.ignored)
    memory = _memory_at(revision_cache.current())
    answer = memory.recall(search)
    if answer is not None:
        return answer
    answer, revision = _find(search, memory)
    if (revision_cache.read() if revision is None else revision) != memory.revision:
        # A change was committed since the revision was read: look again, at one state of the data.
        with read_snapshot():
            memory = _memory_at(revision_cache.read())
            answer, _ = _find(search, memory)
    memory.keep(search, answer)
    return answer


def current_roster() -> Roster:
    """The roster, compiled once for each state of the reviews; at most `VERSION_POLL_MS` past."""
    return _memory_at(revision_cache.current()).roster()


def current_rating() -> AggregateRating:
    """The visible reviews in numbers, counted as seldom: at 100,000 reviews it takes 11 ms."""
    return _memory_at(revision_cache.current()).rating()


def current_sources() -> list[str]:
    """The sources of the visible reviews, at most `VERSION_POLL_MS` past."""
    return _memory_at(revision_cache.current()).sources()


def forget() -> None:
    """Drop everything kept, and look at the database for the next answer."""
    global _memory  # noqa: PLW0603  (one of a process)
    _memory = SearchCache(0)
    revision_cache.forget()


def _memory_at(revision: int) -> SearchCache:
    """The memory of this revision. It replaces that of another one, which nobody needs any more."""
    global _memory  # noqa: PLW0603  (one of a process)
    memory = _memory
    if memory.revision != revision:
        memory = _memory = SearchCache(revision)
    return memory


def _find(search: Search, memory: SearchCache) -> tuple[SearchAnswer, int | None]:
    """The answer, and the revision that it shows if the last statement read the page.

    Everything that was read before is then of that revision too.
    """
    removed = _find_removed(search)
    names_somebody = search.mentions_technician or search.mentions_service
    wanted = criteria(search, memory.roster() if names_somebody else None)
    if wanted is None:
        return _answer(search, [], Count(0), removed), None
    size = search.limit + 1
    few = memory.find_matches(wanted)
    words = None if few else find_words(wanted.needle)

    def find(wanted: Criteria, after: Position | None, size: int) -> Page:
        oldest = search.sort == OLDEST
        if few is None:
            return find_page(wanted, words, after, size, oldest=oldest)
        ids = few.page(wanted, after, size, oldest=oldest)
        return find_rows(ids, after, size, oldest=oldest)

    page = _find_sorted(find, search, wanted, size)
    if few is not None:
        return _answer(search, page.fragments, few.count(wanted), removed), page.revision
    revision = page.revision
    is_last = len(page.fragments) < size
    if is_last and search.cursor is None:
        total = counted(wanted, len(page.fragments))
    else:
        known = memory.known_count(wanted, words)
        total = known or memory.find_count(wanted, words)
        revision = revision if known else None
    return _answer(search, page.fragments, total, removed), revision


def _find_removed(search: Search) -> list[str] | None:
    """What was removed, on the first page for those who follow changes; None for all others."""
    if search.changed_since is None:
        return None
    return find_removed(search.changed_since) if search.cursor is None else []


def _find_sorted(
    find: Callable[[Criteria, Position | None, int], Page],
    search: Search,
    wanted: Criteria,
    size: int,
) -> Page:
    """The page in the order asked for: that by stars is one rating after the other."""
    if search.sort not in {HIGHEST, LOWEST}:
        return find(wanted, search.cursor, size)
    is_downwards, after = search.sort == HIGHEST, search.cursor
    ratings = sorted(wanted.ratings or STARS, reverse=is_downwards)
    if after is not None:
        is_to_come = {stars: (stars < after.stars) == is_downwards for stars in STARS}
        ratings = [stars for stars in ratings if stars == after.stars or is_to_come[stars]]
    fragments: list[bytes] = []
    revision = None
    for stars in ratings:
        begun = after if after is not None and after.stars == stars else None
        page = find(wanted._replace(ratings=(stars,)), begun, size - len(fragments))
        fragments += page.fragments
        revision = page.revision
        if len(fragments) == size:
            break
    return Page(fragments, revision)


def _answer(
    search: Search, found: list[bytes], total: Count, removed: list[str] | None
) -> SearchAnswer:
    """The answer from the fragments found: one more than asked for when another page follows."""
    shown = found[: search.limit]
    has_more = len(found) > search.limit
    cursor = cursor_text(_position(shown[-1], search.sort)) if has_more else None
    following = b"null" if cursor is None else b'"%b"' % cursor.encode()
    more = b',"matched_is_lower_bound":true' if total.is_lower_bound else b""
    if removed is not None:
        more += b',"removed":%b' % orjson.dumps(removed)
    body = b'{"matched":%d,"returned":%d,"reviews":[%b],"next_cursor":%b%b}' % (
        total.matched,
        len(shown),
        b",".join(shown),
        following,
        more,
    )
    return SearchAnswer(body, search, cursor)


def _position(fragment: bytes, sort: str) -> Position:
    review = orjson.loads(fragment)
    stars = review["rating"] if sort in {HIGHEST, LOWEST} else 0
    return Position(dt.date.fromisoformat(review["date"]), review["id"], sort, stars)
