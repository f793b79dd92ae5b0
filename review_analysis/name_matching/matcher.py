"""Compiled rosters, and recognition of their entries in texts."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from review_analysis.name_matching.entries import (
    KINDS,
    AreaEntry,
    Kind,
    PersonEntry,
    ServiceEntry,
    claims_of,
    name_key,
    spoken_names,
)
from review_analysis.name_matching.people import PersonTerm
from review_analysis.name_matching.terms import SearchIndex, Term, word_starts
from review_analysis.text import Text, compose, compose_with_origins, fold, to_original

MAX_PLACES = 2_000  # Per search and text.

Span = tuple[int, int, Term]  # Start and end in the text.


class Found(NamedTuple):
    """A mention of an entry, with offsets in code points of the original text."""

    kind: Kind
    slug: str
    start: int
    end: int


class Roster:
    """Compiled people, services and areas. Immutable and thread-safe."""

    def __init__(
        self,
        people: Iterable[PersonEntry] = (),
        services: Iterable[ServiceEntry] = (),
        areas: Iterable[AreaEntry] = (),
    ) -> None:
        self.people = tuple(people)
        self.services = tuple(services)
        self.areas = tuple(areas)
        self._ids: dict[Kind, dict[str, str]] = {
            "person": {name_key(entry.slug): entry.slug for entry in self.people},
            "service": {name_key(entry.slug): entry.slug for entry in self.services},
            "area": {name_key(entry.slug): entry.slug for entry in self.areas},
        }
        self._names: dict[Kind, dict[str, str | None]] = {
            "person": claims_of((entry.slug, entry.names) for entry in self.people),
            "service": claims_of((entry.slug, (entry.label,)) for entry in self.services),
            "area": claims_of((entry.slug, (entry.name, *entry.aliases)) for entry in self.areas),
        }
        self._index = SearchIndex(self._terms())

    # --- Texts ------------------------------------------------------------------------------------

    def find(self, text: str, *, date: dt.date | None = None) -> list[Found]:
        """Find all mentions in text order. Without a date all people count as active."""
        nfc, origins = (text, None) if text.isascii() else compose_with_origins(text)
        return [
            Found(*term.entry, *to_original(origins, start, end))
            for start, end, term in self._spans(nfc, date)
        ]

    def match(
        self,
        text: str,
        *,
        date: dt.date | None = None,
        people: Sequence[str] = (),
        services: Sequence[str] = (),
    ) -> list[tuple[Kind, str]]:
        """Return the distinct entries in the text and the given names, by kind and slug.

        `people` and `services` are names from separate columns of an export. `date` does not limit
        them, because somebody entered them on purpose.
        """
        mentioned = {term.entry for _, _, term in self._spans(compose(text), date)}
        if people:
            mentioned.update(self._named("person", people))
        if services:
            mentioned.update(self._named("service", services))
        return sorted(mentioned, key=lambda mention: (KINDS.index(mention[0]), mention[1]))

    def _spans(self, nfc: str, date: dt.date | None) -> list[Span]:
        """Find the spans of terms in a composed text."""
        folded = fold(nfc)
        searches = self._index.candidates(folded)
        if not searches:
            return []
        read = Text(nfc, folded)
        spans = [
            (*span, term)
            for needle, head, terms in searches
            # The limit does not apply to frequent heads, like "the" of "the Bay".
            for start in islice(word_starts(folded, head), MAX_PLACES if needle == head else None)
            for term in terms
            if date is None or term.is_meant_on(date)
            if (span := term.match(read, start)) is not None
        ]
        return _without_overlaps(spans) if len(spans) > 1 else spans

    def _named(self, kind: Kind, names: Sequence[str]) -> Iterator[tuple[Kind, str]]:
        for name in names:
            if slug := self._resolve(kind, name):
                yield kind, slug
            else:  # Like "Mark D." or "Drain cleaning (emergency)".
                yield from ((kind, f.slug) for f in self.find(name) if f.kind == kind)

    # --- Single names -----------------------------------------------------------------------------

    def resolve_person(self, name: str) -> str | None:
        """Return the slug of a person by id, full name, alias or unambiguous first name."""
        return self._resolve("person", name)

    def resolve_service(self, name: str) -> str | None:
        """Return the slug of a service by id or label."""
        return self._resolve("service", name)

    def _resolve(self, kind: Kind, name: str) -> str | None:
        key = name_key(name)
        return self._ids[kind].get(key) or self._names[kind].get(key)

    def _terms(self) -> Iterator[Term]:
        for person, name, is_titled in spoken_names(self.people, self._names["person"]):
            yield PersonTerm(person, name, is_titled=is_titled)
        for service in self.services:
            for keyword in dict.fromkeys((service.label, *service.keywords)):
                yield Term("service", service.slug, keyword)
        for area in self.areas:
            for name in dict.fromkeys((area.name, *area.aliases)):
                yield Term("area", area.slug, name)


def _without_overlaps(spans: list[Span]) -> list[Span]:
    """Keep the first and longest of overlapping spans of one kind, in text order."""
    spans.sort(key=lambda span: (span[0], -span[1], KINDS.index(span[2].kind), span[2].slug))
    last: dict[Kind, tuple[int, int]] = {}
    seen: tuple[int, int, str] | None = None
    kept: list[Span] = []
    for start, end, term in spans:
        before = last.get(term.kind, (0, 0))
        if (start < before[1] and (start, end) != before) or (start, end, term.slug) == seen:
            continue
        last[term.kind] = (start, end)
        seen = (start, end, term.slug)
        kept.append((start, end, term))
    return kept
