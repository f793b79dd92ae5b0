"""Proposals for columns that decide about publication; a person confirms them."""

import re
from typing import Any

from review_exports.formats.base import fold_value
from review_exports.profile import ColumnProfile
from review_exports.proposals import OBJECTS, WORDS, parts_of, reads_as_date, words_of
from review_exports.values.dates import is_relative
from review_exports.values.flags import read_yes_no
from review_exports.values.people import is_contact, is_phone
from review_exports.vocabulary import load

_LONG_NUMBER = re.compile(r"[0-9]{5,}(?:\.0)?")
_INDEX = "Unnamed: 0"  # As data frames write the numbers of their rows.
A_DAY = "a day"  # Stands for all days in a deciding column.
A_TEXT = "a text"  # Stands for all values of one that has many, or private ones.
_AT_WORK = frozenset(load("vocabulary/proposals.toml")["at_work"].split("|"))


def deciding_field(column: ColumnProfile) -> str | None:
    """The field by which a column's name says that it decides."""
    *outer, last = parts_of(column.name)
    words = words_of(last)
    if outer and WORDS["general"].issuperset(words):
        words = words_of(outer[-1])
    if not column.filled or any(map(is_relative, column.sampled)):
        return None
    kinds = ("withheld", "status", "published")
    kind = next((kind for kind in kinds if not WORDS[kind].isdisjoint(words)), None)
    if kind and not WORDS["other"].isdisjoint(words):
        values = column.values or dict.fromkeys(map(str, column.sampled))
        understood = (is_day(one) or proposed_decision(kind, fold_value(one)) for one in values)
        return kind if any(one is not None for one in understood) else None
    return kind


def tells_rows_apart(column: ColumnProfile, rows: int) -> bool:
    """Whether a column may decide, whatever its name: some rows fill it, or its values are few.

    Contact data never do, nor what names each row by itself: a moment, or a long number.
    """
    texts = [*map(str, column.sampled)]
    if not texts or all(is_contact(text) or is_phone(text) for text in texts):
        return 0 < column.filled < rows and any(map(is_day, texts))  # Days pass as numbers.
    if column.filled < rows or not column.has_few:
        return column.filled < rows
    has_own = len(column.values) == rows and all(
        is_day(one) or _LONG_NUMBER.fullmatch(str(one)) for one in column.values
    )
    is_index = column.name == _INDEX and texts == [*map(str, range(rows))]
    return len(column.values) > 1 and not (has_own or is_index)


def repeats(column: ColumnProfile, other: ColumnProfile, rows: int) -> bool:
    """Whether a column begins in each row as another one, like a name beside its short form."""
    starts = [[words_of(str(value))[:1] for value in one.sampled] for one in (column, other)]
    return column.filled == other.filled == rows and starts[0] == starts[1] and [] not in starts[0]


def is_of_reply(column: ColumnProfile) -> bool:
    """Whether the name of a column speaks of the reply."""
    return not OBJECTS["replies"].isdisjoint(
        [*words_of(column.name), "comment" if words_of(column.name)[:1] == ["comment"] else ""]
    )


def is_day(value: Any) -> bool:
    """Whether a value of a deciding column is a day, rather than a flag or a word."""
    return read_yes_no(value) is None and reads_as_date(value)


def proposed_decision(field: str, value: str) -> bool | None:
    """Whether a folded value of a deciding column permits publication; None: not understood.

    Blank never does.
    """
    if not value:
        return False
    flag = True if value == A_DAY else read_yes_no(value)
    if flag is not None:
        return flag is (field != "withheld")
    return True if field == "status" and value in _AT_WORK else _status(value)


def _status(value: str) -> bool | None:
    """Whether a status says that a review is public; None where it is not understood."""
    if value in WORDS["public"]:
        return True
    words = value.split()
    is_hidden = value not in _AT_WORK and not WORDS["hidden"].isdisjoint(words)
    return False if is_hidden or not WORDS["negations"].isdisjoint(words[:1]) else None
