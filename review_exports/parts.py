"""Signs that a file holds only part of the reviews: larger totals, further pages."""

import itertools
import operator
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from review_exports.formats.base import fold_name, fold_names, is_blank
from review_exports.records import ReadWarning, warning
from review_exports.values import shown
from review_exports.vocabulary import load

_NAMES = {key: fold_names(text) for key, text in load("vocabulary/parts.toml")["members"].items()}
_DEPTH = 6
_BESIDE = 2  # Levels of objects beside the list, as in `meta.paging.total`.
_LARGEST = 10**9

# Codes of the warnings that a file is incomplete.
PART_CODES = frozenset({"part_of_total", "page_token_left", "page_of_several"})


@dataclass(frozen=True, slots=True)
class Part:
    """Totals and pages named by a file; names are paths like `meta.paging.total`."""

    total: int = 0
    total_name: str = ""
    page: int = 0
    last_page: int = 0
    next_name: str = ""

    def warnings(self, held: int) -> Iterator[ReadWarning]:
        """Yield a warning if a file with `held` reviews is incomplete."""
        of = (
            f"page {self.page} of {self.last_page}"
            if self.page
            else f"one of {self.last_page} pages"
        )
        if 0 < held < self.total:
            page = f"; it is {of}" if self.last_page > 1 else ""
            yield warning(
                "part_of_total", held=held, total=self.total, name=self.total_name, page=page
            )
        elif self.next_name:
            yield warning("page_token_left", name=self.next_name)
        elif self.last_page > 1 and not self.total:
            yield warning("page_of_several", which=of)


_PAGE_OF = re.compile(r"([0-9]{1,6})\s*(?:/|of)\s*([0-9]{1,6})", re.IGNORECASE)


def part_in(document: Any, *, is_last_of_several: bool = False) -> Part:
    """Find totals and pages around the list of reviews in a document.

    `is_last_of_several`: the file also has the earlier pages.
    """
    around = [*_around(document, "", 0)]
    totals = ((name, *_first(members, _NAMES["totals"])) for name, members in around)
    name, key, total = next(filter(operator.itemgetter(2), totals), ("", "", 0))
    page, last = next(filter(operator.itemgetter(1), (_page(one) for _, one in around)), (0, 0))
    if is_last_of_several and page == last:
        page, last = 0, 0
    return Part(
        total=total,
        total_name=shown(name + key),
        page=page if page <= last else 0,
        last_page=last,
        next_name=next(filter(None, itertools.starmap(_next, around)), ""),
    )


_Object = tuple[str, Mapping[str, Any]]


def _around(value: Any, name: str, depth: int) -> Iterator[_Object]:
    """Yield the objects around the first list of objects with their paths, innermost first.

    Each is followed by the objects in it, such as `meta` and `meta.paging`.
    """
    if not isinstance(value, dict) or depth > _DEPTH:
        return
    if not any(map(_is_list, value.values())):
        inner = ((key, one) for key, one in value.items() if isinstance(one, dict))
        found = ([*_around(one, f"{name}{key}.", depth + 1)] for key, one in inner)
        if not (deeper := next(filter(None, found), [])):
            return
        yield from deeper
    yield from _beside(name, value, 0)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict | list)


def _beside(name: str, members: Mapping[str, Any], depth: int) -> Iterator[_Object]:
    yield name, members
    for key, inner in members.items() if depth < _BESIDE else ():
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
        # Elasticsearch wraps totals in an object.
        if number := number_in(value.get("value") if isinstance(value, dict) else value):
            return key, number
    return "", 0


def _page(members: Mapping[str, Any]) -> tuple[int, int]:
    _, last = _first(members, _NAMES["last_pages"])
    _, page = _first(members, _NAMES["pages"])
    if last:
        return page, last
    pages = (value for key, value in members.items() if fold_name(key) in _NAMES["pages"])
    texts = (_PAGE_OF.search(value) for value in pages if isinstance(value, str))
    found = next(filter(None, texts), None)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _next(path_name: str, members: Mapping[str, Any]) -> str:
    for key, value in members.items():
        if fold_name(key) in _NAMES["next"] and not is_blank(value) and value not in (False, 0, []):
            return shown(path_name + key)
        if fold_name(key) == "links" and isinstance(value, list):
            rels = (str(link.get("rel")) for link in value if isinstance(link, dict))
            if any(rel.startswith("next") for rel in rels):
                return shown(f"{path_name}{key}")
    return ""
