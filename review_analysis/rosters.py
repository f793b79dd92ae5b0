"""A roster of the border's dictionaries, and the words of a sentence that its names stand on."""

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
    role: NotRequired[str]  # "stylist"; handed back with what reviews say of the person.


def neutralise_names(words: Words, names: Sequence[Found], known_words: frozenset[str]) -> None:
    """Silence the polarity of names: "Grace overcharged us". A capital makes
    it a word that nothing is known about.
    """
    for index in named_words(words, names):
        if words.words[index] in known_words:
            words.words[index] = words.words[index].title()
            words.tags[index] = "n"


def named_words(words: Words, names: Sequence[Found]) -> frozenset[int]:
    """Words of a sentence in the name of a person or place."""
    named: set[int] = set()
    for found in names:
        if found.kind != "service" and words.start <= found.start < words.end:
            first, last = words.at(found.start, found.end)
            named.update(range(first, last + 1))
    return frozenset(named)


class Exclusions:
    """Phrases that name no service or area of a taxonomy."""

    def __init__(self, taxonomy: Mapping[str, Any]) -> None:
        self._matchers = {
            (kind, entry["id"]): Matcher([Entry(entry["id"], entry["id"], tuple(phrases))])
            for group, kind in (("services", "service"), ("areas", "area"))
            for entry in taxonomy.get(group) or ()
            if (phrases := _texts(entry.get("exclude"))) and entry.get("id")
        }

    def without(self, source: Source, names: Sequence[Found]) -> list[Found]:
        """The names that no phrase excludes."""
        return [name for name in names if not self._excludes(source, name)]

    def _excludes(self, source: Source, name: Found) -> bool:
        matcher = self._matchers.get((name.kind, name.slug))
        return matcher is not None and any(
            place.start <= name.start < place.end for place in matcher.find(source)
        )


def roster_of(taxonomy: Mapping[str, Any], roster: Sequence[Mapping[str, Any]]) -> Roster:
    """The border's dictionaries as entries of `review_analysis.name_matching`.

    Entries that share an id are one; an entry without an id goes by its name, one without either
    is left out.
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
    """Id, name and other names of each."""
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
    """A text or a list of texts; blank ones and what is no text are nothing."""
    values = value if isinstance(value, list | tuple) else [value]
    return [text for text in values if isinstance(text, str) and text.strip()]
