"""Finished answers to searches, kept in this process for as long as the reviews stay as they are.

An answer joins the published fragments of its reviews, and its ETag is a hash of its bytes: every
process and every machine with the same reviews gives the same one.
"""

import datetime as dt
import hashlib
from collections import OrderedDict
from functools import cached_property
from threading import Lock

import orjson

from review_analysis.name_matching import Roster
from reviews.criteria import Criteria, criteria
from reviews.matches import Matches
from reviews.parameter_kinds import Position, cursor_text
from reviews.parameters import Search, query_string
from reviews.revision_watch import watch
from reviews.roster import load_roster
from reviews.search import (
    Count,
    Histogram,
    count,
    counted,
    find_page,
    find_places,
    find_rows,
    find_words,
    is_indexed,
    known_count,
)
from reviews.selectors import AggregateRating, aggregate_rating
from reviews.snapshot import read_snapshot
from reviews.vocabulary import Words

KEPT_BYTES = 16 * 1024 * 1024
KEPT_MATCHES_BYTES = 16 * 1024 * 1024
KEPT_OF_EACH = 10_000  # Answers and matches of nothing have hardly a byte, and take memory too.


class SearchAnswer:
    """The search result as JSON text. What headers tell of it is made when it is asked for."""

    def __init__(self, body: bytes, search: Search, cursor: str | None) -> None:
        self.body = body
        self._search = search
        self._cursor = cursor

    @cached_property
    def etag(self) -> str:
        """Strong."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def next_page(self) -> str | None:
        """The query string of the next page."""
        return None if self._cursor is None else query_string(self._search, self._cursor)


class Memory:
    """What has been found out about the reviews as of one revision; for all threads."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        self._counts: dict[Criteria, Count] = {}
        self._histogram: Histogram | None = None
        self._matches: dict[Criteria, Matches | None] = {}  # None: too many.
        self._matches_bytes = 0
        self._asked_once: set[Criteria] = set()
        self._answers: OrderedDict[Search, SearchAnswer] = OrderedDict()
        self._bytes = 0
        self._roster: Roster | None = None
        self._rating: AggregateRating | None = None
        self._lock = Lock()

    def roster(self) -> Roster:
        if self._roster is None:
            self._roster = load_roster()
        return self._roster

    def rating(self) -> AggregateRating:
        if self._rating is None:
            self._rating = aggregate_rating()
        return self._rating

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
        if self._histogram and wanted.is_about_stars_and_days_alone:
            return self._histogram.count(wanted)
        return self._counts.get(wanted) or known_count(wanted, words)

    def find_count(self, wanted: Criteria, words: Words | None) -> Count:
        if wanted.is_about_stars_and_days_alone:
            self._histogram = Histogram()
            return self._histogram.count(wanted)
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
    return len(answer.body) + len(search.mentions_technician) + len(search.mentions_service)


_memory = Memory(0)


def search_reviews(search: Search) -> SearchAnswer:
    """The answer to `search`, from memory if the reviews are still those it was made from.

    It is as of one moment, which is at most `VERSION_POLL_MS` past.
    """
    memory = _memory_at(watch.current())
    answer = memory.recall(search)
    if answer is not None:
        return answer
    answer, revision = _find(search, memory)
    if (watch.read() if revision is None else revision) != memory.revision:
        # A change was committed since the revision was read: look again, at one state of the data.
        with read_snapshot():
            memory = _memory_at(watch.read())
            answer, _ = _find(search, memory)
    memory.keep(search, answer)
    return answer


def current_roster() -> Roster:
    """The roster, compiled once for each state of the reviews; at most `VERSION_POLL_MS` past."""
    return _memory_at(watch.current()).roster()


def current_rating() -> AggregateRating:
    """The visible reviews in numbers, counted as seldom: at 100,000 reviews it takes 11 ms."""
    return _memory_at(watch.current()).rating()


def forget() -> None:
    """Drop everything kept, and look at the database for the next answer."""
    global _memory  # noqa: PLW0603  (one of a process)
    _memory = Memory(0)
    watch.forget()


def _memory_at(revision: int) -> Memory:
    """The memory of this revision. It replaces that of another one, which nobody needs any more."""
    global _memory  # noqa: PLW0603  (one of a process)
    memory = _memory
    if memory.revision != revision:
        memory = _memory = Memory(revision)
    return memory


def _find(search: Search, memory: Memory) -> tuple[SearchAnswer, int | None]:
    """The answer, and the revision that it shows if the last statement read the page.

    Everything that was read before is then of that revision too.
    """
    names_somebody = search.mentions_technician or search.mentions_service
    wanted = criteria(search, memory.roster() if names_somebody else None)
    if wanted is None:
        return _answer(search, [], Count(0)), None
    size = search.limit + 1
    few = memory.find_matches(wanted)
    if few is not None:
        ids = few.newest(wanted, search.cursor, size)
        page, total = find_rows(ids, search.cursor, size), few.count(wanted)
        return _answer(search, page.fragments, total), page.revision
    words = find_words(wanted.needle)
    page = find_page(wanted, words, search.cursor, size)
    revision = page.revision
    is_last = len(page.fragments) < size
    if is_last and search.cursor is None:
        total = counted(wanted, len(page.fragments))
    else:
        known = memory.known_count(wanted, words)
        total = known or memory.find_count(wanted, words)
        revision = revision if known else None
    return _answer(search, page.fragments, total), revision


def _answer(search: Search, found: list[bytes], total: Count) -> SearchAnswer:
    """The answer from the fragments found: one more than asked for when another page follows."""
    shown = found[: search.limit]
    cursor = cursor_text(_position(shown[-1])) if len(found) > search.limit else None
    following = b"null" if cursor is None else b'"%b"' % cursor.encode()
    bound = b',"matched_is_lower_bound":true' if total.is_lower_bound else b""
    body = b'{"matched":%d,"returned":%d,"reviews":[%b],"next_cursor":%b%b}' % (
        total.matched,
        len(shown),
        b",".join(shown),
        following,
        bound,
    )
    return SearchAnswer(body, search, cursor)


def _position(fragment: bytes) -> Position:
    review = orjson.loads(fragment)
    return Position(dt.date.fromisoformat(review["date"]), review["id"])
