"""The options of a widget: read from a query, checked, and in one spelling for every cache."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self
from urllib.parse import urlencode

LIST, GRID, CAROUSEL, BADGE = "list", "grid", "carousel", "badge"
LAYOUTS = (LIST, GRID, CAROUSEL, BADGE)
NEWEST, OLDEST, HIGHEST, LOWEST = "newest", "oldest", "highest", "lowest"
SORTS = (NEWEST, OLDEST, HIGHEST, LOWEST)
THEMES = ("auto", "light", "dark")
MAX_REVIEWS = 12
GRID_COLUMNS = 3

# Heights in em that a widget takes before its reviews are there: of all but the cards, and of each
# row of cards with the gap above it. They follow from `assets/embed.css`.
HEIGHTS: dict[str, tuple[float, float]] = {
    LIST: (9.5, 10.25),
    GRID: (10.5, 13.25),
    CAROUSEL: (9.5, 13.25),
    BADGE: (6, 0),
}

_STARS = re.compile(r"[1-5]", re.ASCII)
_NUMBER = re.compile(r"[1-9][0-9]?", re.ASCII)
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_COLOUR = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})", re.ASCII | re.IGNORECASE)
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{1,8}){0,3}", re.ASCII | re.IGNORECASE)
MAX_SOURCE = 50


class UnusableOptions(ValueError):
    """Options that cannot be used; `problems` has a sentence for each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = list(problems)


@dataclass(frozen=True, slots=True)
class Options:
    """Choices of one widget; equal options give equal bytes."""

    layout: str = LIST
    min_rating: int = 1
    max: int = 6
    source: str = ""  # Every source.
    sort: str = NEWEST
    theme: str = "auto"
    accent: str = ""  # Six hexadecimal digits; empty for the usual colour.
    lang: str = ""  # A primary language tag; empty for the language of the business.

    @classmethod
    def parse(cls, query: Mapping[str, Any]) -> Self:
        """The options of a query; names that are unknown are ignored. Raises `UnusableOptions`."""
        found: dict[str, Any] = {}
        problems = []
        for name, read in READERS.items():
            values = _values(query, name)
            if len(values) > 1:
                problems.append(f"{_spelled(name)} is given {len(values)} times; give it once.")
            elif values:
                try:
                    found[name] = read(values[0])
                except ValueError as error:
                    problems.append(f"{_spelled(name)} {error}")
        if problems:
            raise UnusableOptions(problems)
        return cls(**found)

    def query(self, *names: str) -> str:
        """The query string of all or of these options, where not as usual."""
        given = {
            _spelled(field.name): value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
            and (not names or field.name in names)
        }
        return urlencode(given)

    def only(self, *names: str) -> "Options":
        """These options, and every other as usual, as a key of a cache."""
        return Options(**{name: getattr(self, name) for name in names})

    @property
    def rows(self) -> int:
        """How many rows of cards there are."""
        if self.layout == LIST:
            return self.max
        return -(-self.max // GRID_COLUMNS) if self.layout == GRID else 1

    @property
    def height(self) -> float:
        """The height in em that a page reserves."""
        rest, row = HEIGHTS[self.layout]
        return rest + row * self.rows


def _spelled(name: str) -> str:
    return name.replace("_", "-")


def _values(query: Mapping[str, Any], name: str) -> list[str]:
    """Values of an option that are not empty.

    Its name may have hyphens or underscores.
    """
    names = dict.fromkeys([_spelled(name), name])
    getlist = getattr(query, "getlist", None)
    if getlist is None:
        return [str(query[each]) for each in names if query.get(each)]
    return [value for each in names for value in getlist(each) if value]


def _one_of(*choices: str) -> Any:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of: {', '.join(choices)}.")
        return text

    return read


def _read_stars(text: str) -> int:
    if not _STARS.fullmatch(text):
        raise ValueError("must be a whole number from 1 to 5.")
    return int(text)


def _read_max(text: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > MAX_REVIEWS:
        raise ValueError(f"must be a whole number from 1 to {MAX_REVIEWS}.")
    return int(text)


def _read_source(text: str) -> str:
    if len(text) > MAX_SOURCE or not _SLUG.fullmatch(text):
        raise ValueError("must be the id of a source, like google.")
    return text


def _read_colour(text: str) -> str:
    found = _COLOUR.fullmatch(text)
    if not found:
        raise ValueError("must be a colour like #0b6b57.")
    digits = found[1].lower()
    return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)


def _read_language(text: str) -> str:
    found = _LANGUAGE.fullmatch(text)
    if not found:
        raise ValueError("must be a language tag, like en or de-AT.")
    return found[1].lower()


READERS: dict[str, Any] = {
    "layout": _one_of(*LAYOUTS),
    "min_rating": _read_stars,
    "max": _read_max,
    "source": _read_source,
    "sort": _one_of(*SORTS),
    "theme": _one_of(*THEMES),
    "accent": _read_colour,
    "lang": _read_language,
}
