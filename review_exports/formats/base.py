"""Descriptions of formats: identifying names, and columns of each field.

A heading of a table and the path to a JSON value are treated alike: `Review Id`, `review_id` and
`reviewId` all fold to `reviewid`, and `reviewer.displayName` folds to `reviewerdisplayname`. One
description therefore reads a vendor's CSV files, Excel workbooks and API responses.
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
# Values of one review as in the file, by field; has a key for each field of the format.
Fields = dict[str, Any]

# Fields of `Record`, by the names that a person maps columns to.
RECORD_FIELDS = (
    *("review_id", "author", "author_avatar_url", "rating", "date", "text", "source", "source_url"),
    *("owner_reply", "owner_reply_date", "verified", "title", "translated_text", "language"),
)
EXTRA = "extra "  # Prefix of the heading of a column that is copied to `Record.extra`.
FIELDS = (
    *RECORD_FIELDS,
    *("technician", "service", "extra"),
    *("first_name", "last_name", "anonymous", "best_rating", "recommendation"),
    *("published", "withheld", "status", "reply_published", "place", "place_id"),
)
# Fields that `Record` lacks -> their names in `Format.columns`.
INTERNAL_FIELDS = {
    name: f"_{name}"
    for name in (
        *("first_name", "last_name", "anonymous", "best_rating", "recommendation"),
        *("place", "place_id"),
    )
}
# Source of reviews whose file names none.
NO_SOURCE = "import"


class RowSkipped(Exception):
    """The row is left out on purpose; `key` and `values` define the message."""

    def __init__(self, key: str, **values: str) -> None:
        super().__init__(key)
        self.key, self.values = key, values


@dataclass(frozen=True, kw_only=True)
class Format:
    """One export format.

    `signatures`: sets of folded names; a file with all names of one set has this format.
    `columns`: field -> folded names in order of preference; the first one with a value counts.
    Fields that begin with `_` are for `adjust` and the normaliser only. `_updated` is the time of
    this version of a review; an older version never replaces a newer one.

    `decides`: folded name -> folded value -> whether a row with it may be published; "" is a blank
    cell, and other values are not understood. `reply_decides`: the same for the reply alone.
    `ignored`: folded names of columns that only seem to decide about publication.
    """

    name: str
    label: str
    columns: Mapping[str, tuple[str, ...]]
    signatures: tuple[frozenset[str], ...] = ()
    decides: Decisions = field(default_factory=dict)
    reply_decides: Decisions = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    source: str = NO_SOURCE
    naive_zone: str = "UTC"  # The zone of times without an offset.
    date_order: DateOrder | None = None  # Usual order of numeric dates; None: the file decides.
    best_rating: int | None = None  # The best rating; None: five, unless the file says otherwise.
    adjust: Callable[[Fields], None] | None = None
    warnings: tuple[ReadWarning, ...] = ()  # Warnings for each file of the format.
    is_literal: bool = False  # Texts are clean already and must not be changed.
    joined: frozenset[str] = frozenset()  # Fields that join the texts of all their columns.
    every: frozenset[str] = frozenset()  # Fields with the list of values of all their columns.
    # Rows with one id are versions of a review, and `_updated` tells the newest.
    newest_wins: bool = False
    has_row_numbers: bool = True  # Row numbers help a person find a row.
    # People may have typed the dates, so a reply older than its review is a mistake. In exports of
    # sites such a review was edited after the reply, and has the date of the edit.
    is_typed: bool = False
    total_name: str = ""  # Name of the column `_total`, the number of reviews of the place.


def columns(**names: str) -> dict[str, tuple[str, ...]]:
    """Fold the comma-separated names of each field."""
    return {field: fold_names(text) for field, text in names.items()}


def fold_names(text: str) -> tuple[str, ...]:
    """Fold the names of a comma-separated text."""
    return tuple(map(fold_name, text.split(",")))


_JOINTS = re.compile(r"(?<=.)[\s_-]+")  # Not at the start, where "-" is a sign.
_NOT_NAME = re.compile(r"[\W_]+")


@lru_cache(maxsize=4096)
def fold_name(name: str) -> str:
    """Reduce a name to letters and digits in lower case and NFC."""
    name = fold(name[:200])
    return _NOT_NAME.sub("", name) or name.strip()


_VALUE_MAX = 200


def fold_value(value: object) -> str:
    """Fold the case of a value and its word separators; return "" for a blank one.

    `True`, "TRUE" and "true" are one value, and so are "not_yet", "Not yet" and "NOT-YET".
    """
    if is_blank(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = _JOINTS.sub(" ", str(value).strip())
    if len(text) > _VALUE_MAX:
        return text  # A sentence rather than a status.
    return _JOINTS.sub(" ", unicodedata.normalize("NFKC", text).casefold().strip()).strip()


_DEPTH = 6
_LIST_MAX = 10
# Members in which some programs wrap the review itself.
WRAPPINGS = ("attributes", "fields", "acf", "node", "review", "content")


def flatten(item: Mapping[str, Any]) -> dict[str, Any]:
    """Map folded paths to the values of an object; a plain value wins over a nested one."""
    flat: dict[str, Any] = {}
    for folded, _, value in _members(item):
        flat.setdefault(folded, value)
        if len(flat) > VALUES_MAX:
            raise too_many("values in one item", VALUES_MAX)
    return flat


def path_names(item: Mapping[str, Any]) -> dict[str, str]:
    """Map the folded paths of `flatten` to paths with dots.

    All members of a list share the path of the first one. Paths leave out wrappings.
    """
    paths: dict[str, str] = {}
    for folded, path, _ in _members(item):
        if path:
            paths.setdefault(folded, path)
    return paths


def _members(item: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield folded path, path and value of each member: plain values first, wrapped ones last."""
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
    """Whether a value is None, white space, an empty list or an object of empty members."""
    if value is None or (isinstance(value, str) and not value.strip()) or value == []:
        return True
    return isinstance(value, dict) and all(one in (None, "") for one in value.values())


def first_value(flat: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """Return the first plain value of the names, or else the first object or list.

    An object is passed over if a further name stands for one of its members.
    """
    others = []
    for name in names:
        value = flat.get(name)
        if value.__class__ is str and value and not value.isspace():  # The most common case.
            return value
        if not is_blank(value):
            if not isinstance(value, dict | list):
                return value
            others.append(name)
    for outer in others:
        if not any(name != outer and name.startswith(outer) and name in flat for name in names):
            return flat[outer]
    return None


ZERO_RATINGS = (None, "", 0, "0", "0.0")  # Ratings that exports write beside a recommendation.
# Without numbers, which may belong to a scale of ten.
_RECOMMENDED = {**RECOMMENDATIONS, "true": True, "yes": True, "false": False, "no": False}


def rate_by_recommendation(fields: Fields) -> None:
    """Rate a review without stars by its recommendation: five stars or one."""
    if not is_blank(rating := fields.get("rating")) and rating not in ZERO_RATINGS:
        return
    kind = fields.get("_recommendation")
    word = str(kind).strip().casefold() if isinstance(kind, str | bool) else ""
    is_positive = _RECOMMENDED.get(word.replace("\u2019", "'"))
    if is_positive is not None:
        fields["rating"] = 5 if is_positive else 1
        fields["_notes"] = (f"recommendation_{'positive' if is_positive else 'negative'}",)
    elif "_recommendation" in fields:
        fields["rating"] = None  # Zero stars are no rating.


def join_name(fields: Fields) -> None:
    """Join first and last name if there is no author."""
    author = fields.get("author")
    if is_blank(author) or isinstance(author, dict):
        parts = (fields.get("_first_name"), fields.get("_last_name"))
        fields["author"] = " ".join(part for part in parts if isinstance(part, str) and part)


COMMENTS = range(5)  # Comments that are read per review.


def comment_columns(path: str, **members: str) -> dict[str, str]:
    """Return arguments of `columns` for the members of each comment."""
    return {
        f"_comment_{number}_{field}": f"{path}.{number}.{name}"
        for number in COMMENTS
        for field, name in members.items()
    }


def use_comment_as_reply(fields: Fields, number: int) -> None:
    fields["owner_reply"] = fields[f"_comment_{number}_text"]
    fields["owner_reply_date"] = fields[f"_comment_{number}_date"]
