"""Rosters from dictionaries, and names in the words of a sentence."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from review_analysis.name_matching import AreaEntry, Found, PersonEntry, Roster, ServiceEntry
from review_analysis.segments import Source, Words
from review_analysis.terms import Entry, Matcher


class RosterEntry(TypedDict):
    """A person whom reviews may name."""

    id: str
    name: str
    aliases: NotRequired[list[str]]
    role: NotRequired[str]  # Like "stylist"; part of the person's `EntityReading`.


def neutralise_names(words: Words, names: Sequence[Found], known_words: frozenset[str]) -> None:
    """Remove the polarity of names: "Grace overcharged us".

    The lexicon and the models know lower-case words only, so a capital is enough.
    """
    for index in named_words(words, names):
        if words.words[index] in known_words:
            words.words[index] = words.words[index].title()
            words.tags[index] = "n"


def named_words(words: Words, names: Sequence[Found]) -> frozenset[int]:
    """Return the words of a sentence in names of people and areas."""
    named: set[int] = set()
    for found in names:
        if found.kind != "service" and words.start <= found.start < words.end:
            first, last = words.at(found.start, found.end)
            named.update(range(first, last + 1))
    return frozenset(named)


class Exclusions:
    """Phrases in which a term does not name its service or area."""

    def __init__(self, taxonomy: Mapping[str, Any]) -> None:
        self._matchers = {
            (kind, entry["id"]): Matcher([Entry(entry["id"], entry["id"], tuple(phrases))])
            for group, kind in (("services", "service"), ("areas", "area"))
            for entry in taxonomy.get(group) or ()
            if (phrases := _texts(entry.get("exclude"))) and entry.get("id")
        }

    def without(self, source: Source, names: Sequence[Found]) -> list[Found]:
        return [name for name in names if not self._excludes(source, name)]

    def _excludes(self, source: Source, name: Found) -> bool:
        matcher = self._matchers.get((name.kind, name.slug))
        return matcher is not None and any(
            place.start <= name.start < place.end for place in matcher.find(source)
        )


def roster_of(taxonomy: Mapping[str, Any], roster: Sequence[Mapping[str, Any]]) -> Roster:
    """Compile a roster with the services and areas of a taxonomy.

    Entries with the same id are merged. The name of an entry is the default of its id; an entry
    without a name is skipped.
    """
    roles = {_key(entry): role for entry in roster if isinstance(role := entry.get("role"), str)}
    return Roster(
        people=[
            PersonEntry(*entry, role=roles.get(entry[0])) for entry in _entries(roster, "aliases")
        ],
        services=[ServiceEntry(*entry) for entry in _entries(taxonomy.get("services"), "terms")],
        areas=[AreaEntry(*entry) for entry in _entries(taxonomy.get("areas"), "terms")],
    )


def _entries(
    given: Sequence[Mapping[str, Any]] | None, others: str
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield id, name and other names of each entry."""
    spellings: dict[str, list[str]] = {}
    for entry in given or ():
        names = _texts(entry.get("name")) + _texts(entry.get("label")) + _texts(entry.get(others))
        if names:
            spellings.setdefault(_key(entry) or names[0], []).extend(names)
    for key, (name, *rest) in spellings.items():
        yield key, name, tuple(dict.fromkeys(other for other in rest if other != name))


def _key(entry: Mapping[str, Any]) -> str:
    return str(entry.get("id") or entry.get("name") or "")


def _texts(value: object) -> list[str]:
    """Return a text or a list of texts as a list, without blank texts and other values."""
    values = value if isinstance(value, list | tuple) else [value]
    return [text for text in values if isinstance(text, str) and text.strip()]
