"""Names as keys, and which of them mean one person alone."""

import re
from collections.abc import Iterable, Iterator, Sequence

from review_analysis.name_matching.entries import TechnicianEntry
from review_analysis.text import fold

GAP = r"[\s\-\u2010-\u2013]"  # White space, hyphens, short dashes.
SEPARATOR = re.compile(f"{GAP}+")


def name_key(name: str) -> str:
    """Key that two spellings of one name share."""
    return SEPARATOR.sub(" ", fold(name)).strip()


def claims_of(entries: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str | None]:
    """Which slug each name means; None for a name that several claim."""
    claims: dict[str, str | None] = {}
    for slug, names in entries:
        for key in dict.fromkeys(map(name_key, names)):
            claims[key] = slug if claims.get(key, slug) == slug else None
    return claims


def spoken_names(
    people: Sequence[TechnicianEntry], claims: dict[str, str | None]
) -> Iterator[tuple[TechnicianEntry, str, bool]]:
    """Names by which texts call each person, and whether one needs a title before it.

    A name holds before a short form, and what several are called means none of them.
    """
    short_forms = claims_of((person.slug, person.short_forms) for person in people)
    surnames = claims_of((person.slug, person.surnames) for person in people)
    for person in people:
        for name in person.names:
            if claims.get(name_key(name)) == person.slug:
                yield person, name, False
        for form in person.short_forms:
            if name_key(form) not in claims and short_forms[name_key(form)] == person.slug:
                yield person, form, False
            elif person.surname and " " not in form and form not in person.names:
                # Which of two Mikes is meant.
                yield person, f"{form} {person.surname}", False
        for surname in person.surnames:
            key = name_key(surname)
            if surnames[key] == person.slug and claims.get(key, person.slug) == person.slug:
                yield person, surname, True
