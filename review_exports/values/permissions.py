"""Values that say yes or no, and whether a review is public: a status, a flag, a date."""

import datetime as dt
import re
import unicodedata
from typing import Any

from review_exports.values import ValueRefused
from review_exports.values.dates import DateReader, is_relative
from review_exports.vocabulary import load, word_sets

_FLAGS = word_sets("vocabulary/values.toml", "flags")
_VARIATION = "\ufe0e\ufe0f"  # Whether a sign is text or picture.
_WORDS = word_sets("vocabulary/values.toml", "statuses")
_PATTERNS = {
    key: re.compile(f"(?x:{text})")
    for key, text in load("vocabulary/values.toml")["consent"].items()
}
_ASIDE = re.compile(r"\s*[(\[].*$")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])")
_JOINTS = re.compile(r"[\s_/\-\u2010-\u2015]+")


def folded_word(value: Any) -> str:
    """A cell or member in one spelling; empty where it holds no plain value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        return ""
    text = unicodedata.normalize("NFKC", str(value)[:500]).strip(" \t\r\n" + _VARIATION)
    return text.casefold()


def read_yes_no(value: Any) -> bool | None:
    """Yes or no; None where the value is neither."""
    if isinstance(value, bool):
        return value
    word = folded_word(value).rstrip(".!")
    return True if word in _FLAGS["yes"] else False if word in _FLAGS["no"] else None


def read_flag(value: Any) -> bool | None:
    """Yes or no, also in the words for a verified purchase; None where the file does not say."""
    if (flag := read_yes_no(value)) is not None:
        return flag
    word = folded_word(value)
    return True if word in _FLAGS["verified"] else False if word in _FLAGS["not_verified"] else None


def status_word(value: Any) -> str:
    """A status in one spelling, without what stands in brackets behind it."""
    text = _JOINTS.sub(" ", _CAMEL.sub(" ", str(value)[:200])).strip()
    return folded_word(_ASIDE.sub("", text) or text).strip(" .!:;?,\"'").removeprefix("state ")


def is_word_of_publication(value: Any) -> bool:
    """Whether a status speaks of publication, rather than of work or of anything else."""
    word = status_word(value)
    is_known = word in _WORDS["public"] or (
        word not in _WORDS["at_work"] and read_status(value) is not None
    )
    return is_known and read_yes_no(value) is None


def read_status(value: Any) -> bool | None:
    """Whether a status says that the review is public; None where it is not understood."""
    if (flag := read_yes_no(value)) is not None:
        return flag
    text = status_word(value) if isinstance(value, str) else ""
    if text in _WORDS["public"] or text in _WORDS["at_work"]:
        return True
    return False if text in _WORDS["hidden"] else _read_words(text)


def _read_words(text: str) -> bool | None:
    first, *others = [word.strip(":,;") for word in text.split()] or [""]
    if first in _WORDS["negations"]:
        return _read_negated(
            " ".join(word for word in others if word not in _WORDS["little_words"])
        )
    waits = first in _WORDS["waiting"] and not _WORDS["waited_for"].isdisjoint(others)
    if waits or first in _WORDS["hidden_first"]:
        return False
    if first in _WORDS["public_first"] and others and others[0] in _WORDS["after_public"]:
        return True
    return None


def _read_negated(text: str) -> bool | None:
    if text in _WORDS["at_work"] or text in _WORDS["hidden"]:
        return True  # "Not replied", "not spam".
    return False if text in _WORDS["public"] else None


_DATES = DateReader(
    time_zone=dt.UTC,
    today=dt.date.max - dt.timedelta(days=2),
    order=lambda _field, _numbers: "dmy",
)


def read_permission(value: Any, *, today: dt.date) -> bool | None:
    """Whether a value under "may be published" says so; None where it is neither yes nor no.

    The day of its publication is a yes, unless it is still to come.
    """
    if (status := read_status(value)) is not None:
        return status
    if (day := _day(value)) is not None:
        return day <= today + dt.timedelta(days=1)
    return _read_answer(value)


def forbids(value: Any) -> bool:
    """Whether any cell says that the review must not be published."""
    if not isinstance(value, str) or not _PATTERNS["may_forbid"].search(value, 0, 200):
        return False
    return _PATTERNS["forbidden"].match(status_word(value)) is not None


def read_withholding(value: Any) -> bool | None:
    """Whether a value under "must not be published" says so; None where it is neither.

    The day on which a review was deleted or hidden is a yes.
    """
    if (flag := read_yes_no(value)) is not None:
        return flag
    if forbids(value) or _day(value) is not None:
        return True
    status = read_status(value)
    return _read_answer(value) if status is None else not status


def _read_answer(value: Any) -> bool | None:
    """A customer's answer in words: "Yes, gladly", "I do not agree"."""
    text = " ".join(folded_word(value).replace("\u2019", "'").split())
    if not text:
        return None
    first, mark, rest = text.partition(",")
    if not mark:
        first, _, rest = text.partition(" ")
    first = first.strip(".!;:")
    if read_yes_no(first) is False or _PATTERNS["refused"].match(text):
        return False
    if (first in _WORDS["assent"] or _PATTERNS["agreed"].match(text)) and not _PATTERNS[
        "on_condition"
    ].search(rest):
        return True
    return None


def _day(value: Any) -> dt.date | None:
    """The day that a value names; one that counts from an unknown day has passed."""
    if isinstance(value, bool | list | dict) or value is None:
        return None
    if is_relative(value):
        return dt.date.min
    try:
        return _DATES.read(value, "date").date
    except ValueRefused:
        return None
