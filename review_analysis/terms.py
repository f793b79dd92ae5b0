"""Which aspects, problems and topics a text speaks of, and where.

A term matches whole words without regard to case; between its words any white space or hyphen may
stand. A `*` that ends a word stands for any ending; one by itself, between words, for up to three
words of the same clause; `#` for a number, in digits or words; `(a|all the|)` for one of these, or
none. Where terms of one kind overlap the earlier, then the longest one stands; entries that share a
term share its places. What an entry's `exclude` phrase covers does not speak of that entry. Its
`weak` terms speak of it only beside another, which the analyser judges by the clauses.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, Literal, NamedTuple

from review_analysis.segments import Source
from review_analysis.word_lists import word_lists

MAX_MENTIONS = 50  # Of one entry in one text.

_GAP = r"[\s\-\u2012-\u2015]{1,8}"
_ANY_WORDS = rf"(?:{_GAP}[\w'$%]+){{0,3}}?"
_NUMBER = rf"(?:\d[\d.,:]*|{'|'.join(sorted(word_lists(__file__)['numbers']))})"
_WILD = frozenset("*#")
_PART = re.compile(r"\([^()]*\|[^()]*\)|\S+")
_SEPARATOR = re.compile(r"[\s\-\u2010-\u2015]+")
_WORD = re.compile(r"\w+")
_PLAIN = re.compile(r"\w+\*?")
_BETWEEN = re.compile(_GAP)
_MAX_CACHED = 20_000  # Words; enough for a language, and a bound for noise.


Kind = Literal["aspect", "problem", "topic"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One aspect, problem or topic of a taxonomy."""

    id: str
    label: str
    terms: tuple[str, ...]
    exclude: tuple[str, ...] = ()
    term_polarity: tuple[tuple[str, int], ...] = ()
    kind: Kind = "aspect"
    weak: tuple[str, ...] = ()  # Those of `terms` that count only beside another.
    subjects: tuple[str, ...] = ()  # Of a clause in which weak ones count as well.

    @classmethod
    def of(cls, entry: Mapping[str, Any], kind: Kind = "aspect") -> "Entry":
        return cls(
            id=entry["id"],
            label=entry.get("label") or entry["id"],
            terms=tuple(entry.get("terms") or ()),
            exclude=tuple(entry.get("exclude") or ()),
            term_polarity=tuple((entry.get("term_polarity") or {}).items()),
            kind=kind,
            weak=tuple(entry.get("weak") or ()),
            subjects=tuple(entry.get("subjects") or ()),
        )


class Place(NamedTuple):
    """`source.normalised[start:end]` speaks of the entry with this number."""

    start: int
    end: int
    entry: int
    polarity: int  # What the taxonomy says of the term itself: -1, 1, or 0 for nothing.
    is_weak: bool = False


class _TermStart(NamedTuple):
    """How a term may begin: its first runs of letters and digits, as far as they are known."""

    first: str  # Or what it begins with, if it is open.
    is_open: bool  # Whether the first goes on.
    second: str  # Or empty.


@dataclass
class _Term:
    kind: Kind
    parts: tuple[str, ...]
    meanings: list[tuple[int, int, bool]] = field(default_factory=list)  # Entry, polarity, weak.
    excludes: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.is_plain = all(map(_PLAIN.fullmatch, self.parts))  # Needs no pattern.
        self.is_word = self.is_plain and len(self.parts) == 1

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled once a text may hold it: most terms of a taxonomy are rare."""
        return re.compile(_pattern(self.parts))

    def end(self, source: Source, index: int) -> int:
        """Where it ends, as it begins at this word of the text; 0 if it does not stand there."""
        if self.is_word:  # It is looked at only where it stands.
            word, start = source.words[index]
            return start + len(word)
        if self.is_plain:
            return self._plain_end(source, index)
        match = self.pattern.match(source.normalised, source.words[index][1])
        return match.end() if match else 0

    def _plain_end(self, source: Source, index: int) -> int:
        found = source.words[index : index + len(self.parts)]
        if len(found) < len(self.parts):
            return 0
        end = 0
        for part, (word, start) in zip(self.parts, found, strict=True):
            is_there = word.startswith(part[:-1]) if part[-1] == "*" else word == part
            if not is_there or (end and not _BETWEEN.fullmatch(source.normalised, end, start)):
                return 0
            end = start + len(word)
        return end


_Candidates = dict[str, list[_Term]]  # Terms by the word that must follow; "": any.


class Matcher:
    """The terms of entries of all kinds, compiled once. Safe to share between threads."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)
        self._kinds = tuple(dict.fromkeys(entry.kind for entry in self.entries))
        terms: dict[tuple[Kind, str], _Term] = {}
        for number, entry in enumerate(self.entries):
            polarities = {_key(term): sign for term, sign in entry.term_polarity}
            weak = dict.fromkeys(map(_key, entry.weak))
            for key in dict.fromkeys((*map(_key, entry.terms), *polarities, *weak)):
                if term := _term(terms, entry.kind, key):
                    term.meanings.append((number, polarities.get(key, 0), key in weak))
            for key in dict.fromkeys(map(_key, entry.exclude)):
                if term := _term(terms, entry.kind, key):
                    term.excludes.add(number)
        self._whole: dict[str, list[tuple[_TermStart, _Term]]] = {}
        self._begun: dict[str, list[tuple[_TermStart, _Term]]] = {}
        self._others: list[_Term] = []  # Those that begin with no word: ".net".
        for term in terms.values():
            for term_start in _term_starts(term.parts):
                if not term_start.first:
                    self._others.append(term)
                else:
                    index = self._begun if term_start.is_open else self._whole
                    index.setdefault(term_start.first, []).append((term_start, term))
        self._lengths = sorted(set(map(len, self._begun)))
        self._seen: dict[str, _Candidates] = {}

    def find(self, source: Source) -> list[Place]:
        """Every place, kind by kind in order, at most `MAX_MENTIONS` of one entry."""
        found: list[tuple[int, int, _Term]] = []
        text, words, seen = source.normalised, source.words, self._seen
        for index, (word, start) in enumerate(words):
            candidates = seen[word] if word in seen else self._beginning_with(word)
            if candidates:
                second = words[index + 1][0] if index + 1 < len(words) else ""
                found += (
                    (start, end, term)
                    for term in chain(candidates.get("", ()), candidates.get(second, ()))
                    if (end := term.end(source, index))
                )
        for term in self._others:
            found.extend((m.start(), m.end(), term) for m in term.pattern.finditer(text))
        found.sort(key=lambda place: (place[0], -place[1]))
        places: list[Place] = []
        for kind in self._kinds:
            places += self._without_overlaps([place for place in found if place[2].kind == kind])
        return places

    def _beginning_with(self, word: str) -> _Candidates:
        """The terms whose first word this is; remembered, as texts have their words in common."""
        openings = list(self._whole.get(word, ()))
        for length in self._lengths:
            if length <= len(word):
                openings += self._begun.get(word[:length], ())
        candidates: _Candidates = {}
        for term_start, term in openings:
            candidates.setdefault(term_start.second, []).append(term)
        if len(self._seen) < _MAX_CACHED and len(word) < 30:
            self._seen[word] = candidates
        return candidates

    def _without_overlaps(self, found: list[tuple[int, int, _Term]]) -> list[Place]:
        counts = [0] * len(self.entries)
        excluded = [0] * len(self.entries)  # Where the last excluded place of an entry ends.
        places: list[Place] = []
        last = (0, 0)
        standing: dict[int, int] = {}  # The entries that have a place there, and which it is.
        for start, end, term in found:
            for number in term.excludes:
                excluded[number] = max(excluded[number], end)
            if start < last[1] and (start, end) != last:
                continue
            for number, polarity, is_weak in term.meanings:
                if start < excluded[number] or counts[number] == MAX_MENTIONS:
                    continue
                if (start, end) != last:
                    last = (start, end)
                    standing.clear()
                if number not in standing:  # "clean" and "clean*" are one mention.
                    standing[number] = len(places)
                    counts[number] += 1
                    places.append(Place(start, end, number, polarity, is_weak))
                elif not is_weak and places[standing[number]].is_weak:
                    places[standing[number]] = Place(start, end, number, polarity)
        return places


@lru_cache(maxsize=24)
def matcher_of(entries: tuple[Entry, ...]) -> Matcher:
    """The matcher of these entries; compiling those of a taxonomy takes a fifth of a second."""
    return Matcher(entries)


def _key(term: str) -> str:
    """Key that two spellings of one term share."""
    return _SEPARATOR.sub(" ", Source(term).normalised).strip()


def _term(terms: dict[tuple[Kind, str], _Term], kind: Kind, key: str) -> _Term | None:
    """The term with this key, made if it is new; None where there is nothing to look for."""
    parts = _PART.findall(key)
    while parts and (parts[0] in _WILD or not parts[0].strip("*")):
        del parts[0]
    if not parts:
        return None
    if len(parts) > 1 and parts[-1] == "*":  # "clean *" is "clean*".
        parts[-2:] = [parts[-2] + "*"]
    key = " ".join(parts)
    if (kind, key) not in terms:
        terms[kind, key] = _Term(kind, tuple(parts))
    return terms[kind, key]


def _choices(part: str) -> list[str]:
    return part[1:-1].split("|") if _is_choice(part) else [part]


def _is_choice(part: str) -> bool:
    return part.startswith("(") and part.endswith(")") and "|" in part


def _term_starts(parts: tuple[str, ...]) -> Iterator[_TermStart]:
    for choice in _choices(parts[0]):
        if not choice.strip("* "):
            continue
        for first, is_open, rest in _beginnings((*choice.split(), *parts[1:])):
            for second, goes_on, _ in _beginnings(() if is_open or not first else rest):
                yield _TermStart(first, is_open, "" if goes_on else second)


def _beginnings(parts: tuple[str, ...]) -> Iterator[tuple[str, bool, tuple[str, ...]]]:
    """First runs of each choice, whether they go on, and the parts behind them."""
    if not parts:
        yield "", False, ()
        return
    for choice in _choices(parts[0]):
        words = (*choice.split(), *parts[1:])
        if not choice.strip():
            yield from _beginnings(words)
        elif not _WORD.match(words[0]):
            yield "", False, ()
        else:
            first, *others = _WORD.findall(words[0])
            is_open = words[0].endswith("*")
            if is_open and others:
                others[-1] += "*"
            yield first, is_open and not others, (*others, *words[1:])


def _pattern(parts: Sequence[str]) -> str:
    patterns: list[str] = []
    for number, part in enumerate(parts):
        gap = _GAP if number else ""
        if part == "*":
            patterns.append(_ANY_WORDS)
        elif _is_choice(part):
            choices = [_pattern(words) for choice in _choices(part) if (words := choice.split())]
            is_optional = number and len(choices) < len(_choices(part))
            patterns.append(f"(?:{gap}(?:{'|'.join(choices)})){'?' if is_optional else ''}")
        else:
            patterns.append(gap + _spelling(part))
    return "".join(patterns)


def _spelling(word: str) -> str:
    """A pattern of one word, that neither begins nor ends within another."""
    if word == "#":
        return rf"{_NUMBER}(?!\w)"
    body = word.rstrip("*")
    before = r"\b" if _WORD.match(body) else ""
    after = r"\w*" if body != word else r"\b" if _WORD.match(body[-1:]) else ""
    if not _WORD.search(body):  # "$*" is an amount, and no oath: "$%&!".
        after = r"(?=\d)\w*" if body != word else ""
    return before + re.escape(body) + after
