"""Search for the terms of aspects, problems and topics in a text.

A term matches whole words in any case, separated by white space or hyphens. `*` at the end of a
word matches any ending, `*` between words up to three words, `#` a number in digits or words, and
`(a|all the|)` one of the choices or nothing. Of overlapping terms of one kind the earliest, then
the longest one counts. Entries that share a term share its places. An entry's `exclude` phrases
hide terms of this entry. `weak` terms count only beside other terms, which `weak_terms` decides.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
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
_MAX_CACHED = 20_000  # Words; more than the vocabulary of most texts.


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
    weak: tuple[str, ...] = ()  # Members of `terms` that count only beside another term.
    subjects: tuple[str, ...] = ()  # Subjects of clauses in which weak terms count as well.

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
    """Span of `source.normalised` with a term of the entry with this number."""

    start: int
    end: int
    entry: int
    polarity: int  # Of the term in the taxonomy: -1, 1, or 0 for none.
    is_weak: bool = False


@dataclass
class _Term:
    number: int
    kind: Kind
    parts: tuple[str, ...]
    meanings: list[tuple[int, int, bool]] = field(default_factory=list)  # Entry, polarity, weak.
    excludes: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.is_plain = all(map(_PLAIN.fullmatch, self.parts))
        self.is_word = self.is_plain and len(self.parts) == 1

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Pattern of the term, compiled on first use because most terms are rare."""
        return re.compile(_pattern(self.parts))

    def end(self, source: Source, index: int) -> int:
        """Return the end of the term at word `index`, 0 without a match."""
        if self.is_word:  # The index of first words has matched it already.
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


class Matcher:
    """Compiled terms of entries of all kinds. Thread-safe."""

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
        self._by_word: dict[str, list[_Term]] = {}
        self._by_prefix: dict[str, list[_Term]] = {}
        self._others: list[_Term] = []  # Terms that do not begin with a word: ".net".
        for term in terms.values():
            for first, is_prefix in dict.fromkeys(_beginnings(term.parts)):
                index = self._by_prefix if is_prefix else self._by_word
                (index.setdefault(first, []) if first else self._others).append(term)
        self._lengths = sorted(set(map(len, self._by_prefix)))
        self._beginning_with = lru_cache(maxsize=_MAX_CACHED)(self._find_beginning_with)

    def find(self, source: Source) -> list[Place]:
        """Find the places of all terms, grouped by kind, at most `MAX_MENTIONS` per entry."""
        found: list[tuple[int, int, _Term]] = []
        text, words = source.normalised, source.words
        for index, (word, start) in enumerate(words):
            found += (
                (start, end, term)
                for term in self._beginning_with(word)
                if (end := term.end(source, index))
            )
        for term in self._others:
            found.extend((m.start(), m.end(), term) for m in term.pattern.finditer(text))
        # Of equal spans an exclusion counts first, then the term that the taxonomy lists first.
        found.sort(key=lambda span: (span[0], -span[1], not span[2].excludes, span[2].number))
        places: list[Place] = []
        for kind in self._kinds:
            places += self._without_overlaps([place for place in found if place[2].kind == kind])
        return places

    def _find_beginning_with(self, word: str) -> list[_Term]:
        terms = list(self._by_word.get(word, ()))
        for length in self._lengths:
            if length <= len(word):
                terms += self._by_prefix.get(word[:length], ())
        return terms

    def _without_overlaps(self, found: list[tuple[int, int, _Term]]) -> list[Place]:
        counts = [0] * len(self.entries)
        excluded = [0] * len(self.entries)  # End of the last `exclude` phrase of an entry.
        places: list[Place] = []
        last = (0, 0)
        indexes: dict[int, int] = {}  # Index of each entry's place with the span `last`.
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
                    indexes.clear()
                if number not in indexes:  # "clean" and "clean*" are one mention.
                    indexes[number] = len(places)
                    counts[number] += 1
                    places.append(Place(start, end, number, polarity, is_weak))
                elif not is_weak and places[indexes[number]].is_weak:
                    places[indexes[number]] = Place(start, end, number, polarity)
        return places


@lru_cache(maxsize=24)
def matcher_of(entries: tuple[Entry, ...]) -> Matcher:
    """Return the cached matcher of these entries. Compilation takes 0.2 seconds."""
    return Matcher(entries)


def _key(term: str) -> str:
    """Normalise a term, so that its spellings are equal."""
    return _SEPARATOR.sub(" ", Source(term).normalised).strip()


def _term(terms: dict[tuple[Kind, str], _Term], kind: Kind, key: str) -> _Term | None:
    """Return the term with this key from `terms` or a new one, None if the key is empty."""
    parts = _PART.findall(key)
    while parts and (parts[0] in _WILD or not parts[0].strip("*")):
        del parts[0]
    if not parts:
        return None
    if len(parts) > 1 and parts[-1] == "*":  # "clean *" is "clean*".
        parts[-2:] = [parts[-2] + "*"]
    key = " ".join(parts)
    if (kind, key) not in terms:
        terms[kind, key] = _Term(len(terms), kind, tuple(parts))
    return terms[kind, key]


def _choices(part: str) -> list[str]:
    return part[1:-1].split("|") if _is_choice(part) else [part]


def _is_choice(part: str) -> bool:
    return part.startswith("(") and part.endswith(")") and "|" in part


def _beginnings(parts: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Yield the first word of each choice, and whether it is a prefix; "" for no word."""
    for choice in _choices(parts[0]):
        if choice.strip("* "):
            word = choice.split()[0]
            runs = _WORD.findall(word) if _WORD.match(word) else [""]
            yield runs[0], runs == [word.removesuffix("*")] != [word]


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
    """Return the pattern of a whole word."""
    if word == "#":
        return rf"{_NUMBER}(?!\w)"
    body = word.rstrip("*")
    before = r"\b" if _WORD.match(body) else ""
    after = r"\w*" if body != word else r"\b" if _WORD.match(body[-1:]) else ""
    if not _WORD.search(body):  # "$*" is an amount, not an expletive: "$%&!".
        after = r"(?=\d)\w*" if body != word else ""
    return before + re.escape(body) + after
