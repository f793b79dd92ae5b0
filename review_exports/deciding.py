"""Proposals for columns that decide about publication; a person confirms them."""

from typing import Any

from review_exports.formats.base import fold_value
from review_exports.profile import ColumnProfile, Profile
from review_exports.proposals import OBJECTS, WORDS, meanings, parts_of, reads_as_date, words_of
from review_exports.values.dates import is_relative
from review_exports.values.flags import read_yes_no
from review_exports.vocabulary import load

_ANSWERS_MAX = 3  # Different answers, at most, that are asked about in whatever words.
_ANSWER_LENGTH = 12
_FLAGS_MAX = 5  # Different values of a column of flags, at most.
A_DAY = "a day"  # Stands for all days in a deciding column.
_AT_WORK = frozenset(load("vocabulary/proposals.toml")["at_work"].split("|"))


def deciding_field(column: ColumnProfile, profile: Profile) -> str | None:
    """The field by which a column's name says that it decides."""
    *outer, last = parts_of(column.name)
    words = words_of(last)
    if outer and WORDS["general"].issuperset(words):
        words = words_of(outer[-1])
    if not words or not column.filled or any(map(is_relative, column.sampled)):
        return None
    if words[-1] in WORDS["kind"]:
        return "status" if column.has_few and len(column.values) > 1 else None
    if words == ["state"] and any(
        not WORDS["addresses"].isdisjoint(words_of(one.name)) for one in profile.columns.values()
    ):
        return None
    kinds = ("withheld", "status", "published")
    kind = next((kind for kind in kinds if not WORDS[kind].isdisjoint(words)), None)
    if kind and not WORDS["other"].isdisjoint(words):
        values = column.values or dict.fromkeys(map(str, column.sampled))
        is_understood = any(
            is_day(value) or proposed_decision(kind, fold_value(value)) is not None
            for value in values
        )
        return kind if is_understood else None
    return kind


def may_be_deciding(column: ColumnProfile, profile: Profile) -> bool:
    """Whether the values of a column alone look like those of publication: flags or statuses."""
    is_harmless = not WORDS["harmless"].isdisjoint(words_of(column.name))
    is_one = column.filled == profile.rows and len(column.values) == 1  # It tells nothing apart.
    if not column.filled or is_harmless:
        return False
    is_other = not WORDS["other"].isdisjoint(words_of(column.name))
    is_named = is_other or any(meanings(column.name))
    is_partial = column.filled < profile.rows
    if is_partial and not is_named and all(map(is_day, column.sampled)):
        return True  # Something happened to some rows alone; perhaps they were taken down.
    if not column.has_few or is_one:
        return False
    if column.name.rstrip().endswith("?"):
        return True  # An answer of the customer's, perhaps whether it may be published.
    values = [value for value in map(fold_value, column.values) if not _is_number(value)]
    is_short = len(column.values) <= _FLAGS_MAX
    is_answer = len(column.values) <= _ANSWERS_MAX and all(
        map(_may_answer, map(str, column.values))
    )
    # A second column of authors names one in each row; one that some rows lack may be an answer.
    if is_answer and (not is_named or (is_partial and not is_other)):
        return True  # In whatever language: what is not understood is no permission.
    return any(_status(value) is False or (is_short and _is_flag(value)) for value in values)


def _may_answer(value: str) -> bool:
    """Whether a value may be a yes or no of any language."""
    return len(value) <= _ANSWER_LENGTH and not any(one.isdigit() or one in "@/:" for one in value)


def _is_number(value: str) -> bool:
    return value.lstrip("-").replace(".", "", 1).isdigit()


def _is_flag(value: str) -> bool:
    """Whether a value says yes or no, also at the beginning of a sentence, or is a status."""
    first = value.split(",", maxsplit=1)[0].split()[:1]
    said = (read_yes_no(one) for one in (value, *first))
    return any(one is not None for one in said) or _status(value) is not None


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
