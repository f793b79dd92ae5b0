"""Signs that a file holds a part of the reviews: totals, further pages."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from review_exports.formats.base import fold_name, fold_names, is_blank
from review_exports.readers import json_text
from review_exports.readers.json_stream import LongList
from review_exports.records import ReadWarning
from review_exports.values import shown
from review_exports.vocabulary import load

_NAMES = {key: fold_names(text) for key, text in load("vocabulary/parts.toml").items()}
_DEPTH = 6
_BESIDE = 2  # Levels below a wrapping of the list, as in `meta.paging.total`.
_CONTAINERS_MAX = 1_000
_LARGEST = 10**9

# The warnings that a file is a part.
PART_CODES = frozenset({"part_of_total", "page_token_left", "page_of_several"})


@dataclass(frozen=True, slots=True)
class Part:
    """Totals and pages that a file names; names are paths like `meta.paging.total`."""

    total: int = 0
    total_name: str = ""
    page: int = 0
    last_page: int = 0
    next_name: str = ""

    def warnings(self, held: int) -> Iterator[ReadWarning]:
        """The warning for a file with so many reviews; none if it is whole."""
        of = (
            f"page {self.page} of {self.last_page}"
            if self.page
            else f"one of {self.last_page} pages"
        )
        if 0 < held < self.total:
            page = f"; it is {of}" if self.last_page > 1 else ""
            yield ReadWarning(
                code="part_of_total",
                message=f"The file holds {held:,} of {self.total:,} reviews, as its "
                f"{self.total_name} says{page}. Export the others as well (all pages, all dates) "
                "and import them too.",
            )
        elif self.next_name:
            yield ReadWarning(
                code="page_token_left",
                message=f"The file names a next page ({self.next_name}): it is one page of "
                "several. Import the further pages too.",
            )
        elif self.last_page > 1 and not self.total:
            yield ReadWarning(
                code="page_of_several",
                message=f"The file is {of}. Import the others too.",
            )


# "Page 1 of 62" and "Showing 1-10 of 312 reviews", as they stand above a table.
_PAGE_OF = re.compile(
    r"\b(?:page|seite|página|pagina|strona|sida|side)\s*:?\s*([0-9]{1,6})\s*"
    r"(?:/|of|von|de|di|sur|van|z|av|af)\s*([0-9]{1,6})\b",
    re.IGNORECASE,
)
_OF = re.compile(r"\s*(?:page\s*)?([0-9]{1,6})\s*(?:of|/)\s*([0-9]{1,6})\s*", re.IGNORECASE)
_OF_TOTAL = re.compile(
    r"\b(?:of|von|sur|de|di|van|z|av|af)\s+([0-9]{1,3}(?:[.,\s]?[0-9]{3})*)\s+"
    r"(?:reviews|results|entries|records|rows|ratings|bewertungen|rezensionen|einträge|avis"
    r"|reseñas|opiniones|recensioni|avaliações|beoordelingen|opinii)\b",
    re.IGNORECASE,
)


def part_in_words(text: str) -> Part:
    """The signs in the titles above a table."""
    page, total = _PAGE_OF.search(text), _OF_TOTAL.search(text)
    return Part(
        total=int(re.sub(r"\D", "", total[1])) if total else 0,
        total_name="title" if total else "",
        page=int(page[1]) if page else 0,
        last_page=int(page[2]) if page else 0,
    )


def part_in(document: Any, *, is_last_of_several: bool = False) -> Part:
    """The signs around the list of reviews in a JSON document.

    `is_last_of_several`: the pages before it are in the file as well.
    """
    path = _path_to_list(document, 0)
    if path is None:
        return Part()
    total, total_name, page, last, next_name = 0, "", 0, 0, ""
    for name, wrapping in reversed(path):
        for path_name, members in _beside(name, wrapping, 0):
            if not total:
                key, total = _first(members, _NAMES["totals"])
                total_name = shown(path_name + key) if total else ""
            if not last:
                page, last = _page(members)
            next_name = next_name or _next(path_name, members)
    if is_last_of_several and page == last:
        page, last = 0, 0
    if not total:
        total, total_name = _sum_of_places(path[-1][1])
    return Part(total, total_name, page if page <= last else 0, last, next_name)


_Wrapping = tuple[str, Mapping[str, Any]]


def _path_to_list(value: Any, depth: int, name: str = "") -> list[_Wrapping] | None:
    """The objects around the first list of objects, outermost first."""
    if not isinstance(value, dict) or depth > _DEPTH:
        return None
    if any(map(_is_list, value.values())):
        return [(name, value)]
    for key, inner in value.items():
        if rest := _path_to_list(inner, depth + 1, f"{name}{key}."):
            return [(name, value), *rest]
    return None


def _is_list(value: Any) -> bool:
    if isinstance(value, LongList):
        return True
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict | list)


def _beside(name: str, members: Mapping[str, Any], depth: int) -> Iterator[_Wrapping]:
    """An object and those in it, such as `meta` and `meta.paging`."""
    yield name, members
    if depth < _BESIDE:
        for key, inner in members.items():
            if isinstance(inner, dict):
                yield from _beside(f"{name}{key}.", inner, depth + 1)


def number_in(value: Any) -> int:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value[:20])
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 < value < _LARGEST else 0


def _first(members: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, int]:
    by_name = {fold_name(key): key for key in reversed([*members])}
    for name in names:
        if (key := by_name.get(name)) is None:
            continue
        value = members[key]
        # Elasticsearch counts in an object of its own.
        if number := number_in(value.get("value") if isinstance(value, dict) else value):
            return key, number
    return "", 0


def _page(members: Mapping[str, Any]) -> tuple[int, int]:
    _, last = _first(members, _NAMES["last_pages"])
    _, page = _first(members, _NAMES["pages"])
    if last:
        return page, last
    for key, value in members.items():
        if (
            fold_name(key) in _NAMES["pages"]
            and isinstance(value, str)
            and (found := _OF.fullmatch(value))
        ):
            return int(found[1]), int(found[2])
    return 0, 0


def _next(path_name: str, members: Mapping[str, Any]) -> str:
    for key, value in members.items():
        if fold_name(key) in _NAMES["next"] and not is_blank(value) and value not in (False, 0, []):
            return shown(path_name + key)
        if fold_name(key) == "links" and isinstance(value, list):
            rels = (str(link.get("rel")) for link in value if isinstance(link, dict))
            if any(rel.startswith("next") for rel in rels):
                return shown(f"{path_name}{key}")
    return ""


def _sum_of_places(wrapping: Mapping[str, Any]) -> tuple[int, str]:
    """Sum of the totals of places that hold lists of reviews."""
    total, name = 0, ""
    for place in _places(wrapping, 0):
        key, number = _first(place, _NAMES["totals"])
        if not number:
            return 0, ""
        total, name = total + number, shown(key)
    return total, name


def _places(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    lists = _lists(value) if isinstance(value, dict) else [value]
    for inner in (item for one in lists for item in _start(one)):
        if isinstance(inner, list) or (
            json_text.holds_list(inner)
            and any(json_text.holds_list(item) for one in _lists(inner) for item in _start(one))
        ):
            if depth < _DEPTH:
                yield from _places(inner, depth + 1)
        elif json_text.holds_list(inner):
            yield inner


def _start(values: list[Any] | LongList) -> list[Any]:
    return (values.head if isinstance(values, LongList) else values)[:_CONTAINERS_MAX]


def _lists(value: Mapping[str, Any]) -> Iterator[list[Any] | LongList]:
    return filter(_is_list, value.values())
