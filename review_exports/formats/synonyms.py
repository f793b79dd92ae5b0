"""Names of a review's fields, in headings and as members of objects."""

import itertools
from collections.abc import Iterator, Mapping

from review_exports.formats.base import columns, fold_name, fold_names
from review_exports.vocabulary import load

_HEADINGS = load("vocabulary/headings.toml")


def _replies(field: str) -> Iterator[str]:
    """Names of a reply, or of its date, made of their parts."""
    parts: dict[str, list[str]] = _HEADINGS["replies"]
    for who, what in itertools.product(parts["given_by"], parts["called"]):
        yield from (fold_name(who + what + ending) for ending in parts[field])


SYNONYMS: Mapping[str, tuple[str, ...]] = {
    field: (*(_replies(field) if field in _HEADINGS["replies"] else ()), *fold_names(text))
    for field, text in _HEADINGS["fields"].items()
}
WORD_PAIRS = tuple(map(fold_names, _HEADINGS["word_pairs"]))
SURNAMES = tuple(map(fold_names, _HEADINGS["surnames"]))
ANSWERS = frozenset(fold_names(_HEADINGS["answers"]))
MERE_NAMES = frozenset(fold_names(_HEADINGS["mere_names"]))
SALUTATIONS = frozenset(_HEADINGS["salutations"].split(", "))


# A mere user name may be that of the place, and no object is called so.
_MERE_USER = SYNONYMS["author"].index(fold_name("user name"))
_OBJECTS: Mapping[str, tuple[str, ...]] = {
    **SYNONYMS,
    **columns(**_HEADINGS["objects"]),
    "authors": SYNONYMS["author"][:_MERE_USER],
    "mere_users": SYNONYMS["author"][_MERE_USER:],
}


def _paths(field: str) -> Iterator[str]:
    """Names of a field, and the paths to it in objects, in order of preference."""
    for objects, members in _HEADINGS["paths"].get(field, [[field, ""]]):
        for name in itertools.chain.from_iterable(map(_OBJECTS.__getitem__, objects.split())):
            yield from (name + member for member in fold_names(members))


OBJECT_SYNONYMS: Mapping[str, tuple[str, ...]] = {field: tuple(_paths(field)) for field in SYNONYMS}
