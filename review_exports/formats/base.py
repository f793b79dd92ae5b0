"""Descriptions of formats: the names that identify one, and the meanings of its columns.

A heading of a table and the path to a value in JSON are the same thing here: `Review Id`,
`review_id` and `reviewId` all fold to `reviewid`, `reviewer.displayName` to `reviewerdisplayname`.
So one description reads a maker's CSV, its Excel workbook and its API answers.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from review_exports.limits import NAME_MAX, VALUES_MAX, too_many
from review_exports.records import ReadWarning
from review_exports.values.characters import fold
from review_exports.values.dates import DateOrder
from review_exports.values.ratings import RECOMMENDATIONS

# Name of a column -> value -> whether a row with it may be published.
Decisions = Mapping[str, Mapping[str, bool]]
# The values of one review as the file has them, by field. Every field of a description is there.
Fields = dict[str, Any]

# The fields that `Record` has, by the names that a person maps columns to.
RECORD_FIELDS = (
    *("review_id", "author", "author_avatar_url", "rating", "date", "text", "source", "source_url"),
    *("owner_reply", "owner_reply_date", "verified", "title", "translated_text", "language"),
)
EXTRA = "extra "  # Before the heading of a column that is let through as it is.
FIELDS = (
    *RECORD_FIELDS,
    *("technician", "service", "extra"),
    *("first_name", "last_name", "anonymous", "best_rating", "recommendation"),
    *("published", "withheld", "status", "reply_published", "place", "place_id"),
)
# The fields that are none of a record, as columns of a `Format` have them.
INTERNAL_FIELDS = {
    name: f"_{name}"
    for name in (
        *("first_name", "last_name", "anonymous", "best_rating", "recommendation"),
        *("place", "place_id"),
    )
}
# The source of reviews whose file does not say where they are from.
NO_SOURCE = "import"


class RowSkipped(Exception):
    """The row is left out on purpose; `key` and `values` are those of its message."""

    def __init__(self, key: str, **values: str) -> None:
        super().__init__(key)
        self.key, self.values = key, values


@dataclass(frozen=True, kw_only=True)
class Format:
    """One export format.

    `signatures`: sets of folded names; a file with all names of one set has this format.
    `columns`: field -> folded names in order of preference; the first one with a value counts.
    Fields beginning with `_` are none of a review; `adjust` makes use of them. `_updated` is when
    this version was written: an older one never replaces a newer one.

    `decides`: folded name -> folded value -> whether a row with it may be published; "" is a blank
    cell. A value that is not there is not understood. `reply_decides`: the same of the reply alone.
    `ignored`: folded names of further columns and members that decide nothing.
    """

    name: str
    label: str
    columns: Mapping[str, tuple[str, ...]]
    signatures: tuple[frozenset[str], ...] = ()
    decides: Decisions = field(default_factory=dict)
    reply_decides: Decisions = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    source: str = NO_SOURCE
    naive_zone: str = "UTC"  # Where times without an offset are from.
    date_order: DateOrder | None = None  # Of dates with slashes; None: the file decides.
    best_rating: int | None = None  # How far the stars count; None: to five, if nothing else says.
    adjust: Callable[[Fields], None] | None = None
    warnings: tuple[ReadWarning, ...] = ()  # Of each of its files.
    is_literal: bool = False  # Texts are clean already and must not be altered.
    # Fields whose columns all count, one under the other, instead of the first one with a value.
    joined: frozenset[str] = frozenset()
    every: frozenset[str] = frozenset()  # Fields of which rows have all values, as a list.
    # The same id again in one file is an earlier or later version; its `_updated` tells which.
    newest_wins: bool = False
    has_row_numbers: bool = True  # A person finds a row by its number.
    # Whether people may have typed its days, so that a reply older than its review is a slip. In
    # what a site exports the review was edited after the reply, and has the day of that.
    is_typed: bool = False
    total_name: str = ""  # What its column `_total` is called: how many reviews the place has.


def columns(**names: str) -> dict[str, tuple[str, ...]]:
    """Field -> folded names, written as one text with commas in between."""
    return {field: fold_names(text) for field, text in names.items()}


def fold_names(text: str) -> tuple[str, ...]:
    """The folded names of a text with commas in between."""
    return tuple(map(fold_name, text.split(",")))


_JOINTS = re.compile(r"(?<=.)[\s_-]+")  # Not the sign of a number.
_NOT_NAME = re.compile(r"[\W_]+")


@lru_cache(maxsize=4096)
def fold_name(name: str) -> str:
    """The letters and digits of the name, in lower case and NFC."""
    name = fold(name[:200])
    return _NOT_NAME.sub("", name) or name.strip()


_VALUE_MAX = 200


def fold_value(value: object) -> str:
    """A value without case, as words with single spaces; "" where it is blank.

    `True`, "TRUE" and "true" are one value, and so are "not_yet", "Not yet" and "NOT-YET".
    """
    if is_blank(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = _JOINTS.sub(" ", str(value).strip())
    if len(text) > _VALUE_MAX:
        return text  # Words rather than a status.
    return _JOINTS.sub(" ", unicodedata.normalize("NFKC", text).casefold().strip()).strip()


_DEPTH = 6
_LIST_MAX = 10
# Members in which some programs keep the review itself, beside what they say about it.
WRAPPINGS = ("attributes", "fields", "acf", "node", "review", "content")


def flatten(item: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an object by folded path; a plain value wins over one found deeper down."""
    flat: dict[str, Any] = {}
    for folded, _, value in _members(item):
        flat.setdefault(folded, value)
        if len(flat) > VALUES_MAX:
            raise too_many("values in one item", VALUES_MAX)
    return flat


def path_names(item: Mapping[str, Any]) -> dict[str, str]:
    """Folded path -> path with dots, of each value of an object as `flatten` has them.

    The members of a list are one, by the path of the first. What stands in a wrapping has its path
    without that alone.
    """
    paths: dict[str, str] = {}
    for folded, path, _ in _members(item):
        if path:
            paths.setdefault(folded, path)
    return paths


def _members(item: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Folded path, path and value of each member, the plain ones first, wrapped ones last."""
    names = [(_folded(key), key, value) for key, value in item.items()]
    nested = [one for one in names if isinstance(one[2], dict | list)]
    yield from (one for one in names if not isinstance(one[2], dict | list))
    for folded, key, value in nested:
        is_wrapping = folded in WRAPPINGS and isinstance(value, dict)
        if not is_wrapping:
            yield folded, key, value
        for one, name, inner in _inner(folded, f"{key}.", value, 1):
            yield one, "" if is_wrapping else name, inner
    for folded, _, value in nested:
        if folded in WRAPPINGS and isinstance(value, dict):
            yield from _inner("", "", value, 1)


def _folded(name: str) -> str:
    if len(name) > NAME_MAX:
        raise too_many("characters in the name of a member", NAME_MAX)
    return fold_name(name)


def _inner(folded: str, path: str, value: Any, depth: int) -> Iterator[tuple[str, str, Any]]:
    if depth > _DEPTH:
        return
    is_list = isinstance(value, list)
    members = enumerate(value[:_LIST_MAX]) if is_list else value.items()
    for key, inner in members:
        here, name = folded + _folded(str(key)), path + ("0" if is_list else str(key))
        if isinstance(inner, dict | list):
            yield from _inner(here, f"{name}.", inner, depth + 1)
        yield here, name, inner


def is_blank(value: object) -> bool:
    """Whether a value says nothing: none, white space, an object whose members are all empty."""
    if value is None or (isinstance(value, str) and not value.strip()) or value == []:
        return True
    return isinstance(value, dict) and all(one in (None, "") for one in value.values())


def first_value(flat: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """The first plain value under one of the names; failing that, whatever else stands there.

    An object counts for nothing where the member that is looked for in it is there, but blank.
    """
    others = []
    for name in names:
        value = flat.get(name)
        if value.__class__ is str and value and not value.isspace():  # As nearly all are.
            return value
        if not is_blank(value):
            if not isinstance(value, dict | list):
                return value
            others.append(name)
    for outer in others:
        if not any(name != outer and name.startswith(outer) and name in flat for name in names):
            return flat[outer]
    return None


NO_STARS = (None, "", 0, "0", "0.0")  # As exports write it beside a recommendation.


# A bare number may be of a scale to ten.
_ADVICE = {**RECOMMENDATIONS, "true": True, "yes": True, "false": False, "no": False}


def rate_by_recommendation(fields: Fields) -> None:
    """Take a recommendation as five stars, and advice against as one, where there are no stars."""
    if not is_blank(rating := fields.get("rating")) and rating not in NO_STARS:
        return
    kind = fields.get("_recommendation")
    word = str(kind).strip().casefold() if isinstance(kind, str | bool) else ""
    is_positive = _ADVICE.get(word.replace("\u2019", "'"))
    if is_positive is not None:
        fields["rating"] = 5 if is_positive else 1
        fields["_notes"] = (f"recommendation_{'positive' if is_positive else 'negative'}",)
    elif "_recommendation" in fields:
        fields["rating"] = None  # Not a rating of zero.


def join_name(fields: Fields) -> None:
    """Make the author from first and last name where none is given."""
    author = fields.get("author")
    if is_blank(author) or isinstance(author, dict):
        parts = (fields.get("_first_name"), fields.get("_last_name"))
        fields["author"] = " ".join(part for part in parts if isinstance(part, str) and part)


COMMENTS = range(5)  # Of a review, that are looked at.


def comment_columns(path: str, **members: str) -> dict[str, str]:
    """Field of each comment -> its path, as arguments of `columns`."""
    return {
        f"_comment_{number}_{field}": f"{path}.{number}.{name}"
        for number in COMMENTS
        for field, name in members.items()
    }


def reply_by_comment(fields: Fields, number: int) -> None:
    """Take this comment, which is the owner's, for the reply."""
    fields["owner_reply"] = fields[f"_comment_{number}_text"]
    fields["owner_reply_date"] = fields[f"_comment_{number}_date"]
