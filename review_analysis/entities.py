"""The technicians, services and areas that a text names, by the one matcher of names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from review_analysis.name_matching import AreaEntry, Roster, ServiceEntry, TechnicianEntry


class _Entry(NamedTuple):
    id: str
    name: str
    others: tuple[str, ...]


def roster_of(taxonomy: Mapping[str, Any], roster: Sequence[Mapping[str, Any]]) -> Roster:
    """The border's dictionaries as entries of `review_analysis.name_matching`.

    Entries that share an id are one; an entry without an id goes by its name, one without either
    means nobody.
    """
    return Roster(
        technicians=[TechnicianEntry(*entry) for entry in _entries(roster, "aliases")],
        services=[ServiceEntry(*entry) for entry in _entries(taxonomy.get("services"), "terms")],
        areas=[AreaEntry(*entry) for entry in _entries(taxonomy.get("areas"), "terms")],
    )


def _entries(given: Sequence[Mapping[str, Any]] | None, others: str) -> Iterator[_Entry]:
    spellings: dict[str, list[str]] = {}
    for entry in given or ():
        names = _texts(entry.get("name")) + _texts(entry.get("label")) + _texts(entry.get(others))
        key = entry.get("id") or "".join(names[:1])
        if names:
            spellings.setdefault(str(key), []).extend(names)
    for key, (name, *rest) in spellings.items():
        yield _Entry(key, name, tuple(dict.fromkeys(other for other in rest if other != name)))


def _texts(value: object) -> list[str]:
    """A text or a list of texts; blank ones and what is no text are nothing."""
    values = value if isinstance(value, list | tuple) else [value]
    return [text for text in values if isinstance(text, str) and text.strip()]
