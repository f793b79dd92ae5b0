"""Rows that the business wrote about its customers, recognised by roles and directions."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from review_exports.formats.base import Fields, Format, RowSkipped, fold_names, is_blank
from review_exports.records import ReadWarning
from review_exports.values import shown
from review_exports.values.permissions import read_yes_no, status_word
from review_exports.vocabulary import load, word_sets

_NAMES = {
    key: frozenset(fold_names(text))
    for key, text in load("vocabulary/authors.toml")["names"].items()
}
_WORDS = word_sets("vocabulary/authors.toml", "words")
_PAIR = re.compile(r"(?:from )?(.+?)s? (?:to|2|about|on|reviews|reviewing|rates|rated|>|→) (.+?)s?")
_BY = re.compile(r"(?:by|from|written by|left by|given by) (?:the )?(.+?)s?")
_ABOUT = re.compile(r"(?:about|review of|rating of) (?:the )?(.+?)s?")
_LEFT_OUT = "The business itself wrote this about a customer; it is left out."


class Authorship:
    """Columns of one file that say whether the business wrote a row."""

    def __init__(self, format_: Format, names: Mapping[str, str]) -> None:
        read = format_.review_names()
        known = _NAMES["roles"] | _NAMES["directions"] | _NAMES["recipients"] | _NAMES["flags"]
        found = [name for name in names if name in known and name not in read]
        self.names = {f"_role:{name}": name for name in found}
        self._headings = {f"_role:{name}": names[name] for name in found}
        columns = {field: (name,) for field, name in self.names.items()}
        self.format = replace(format_, columns={**format_.columns, **columns})
        self._found: dict[tuple[str, frozenset[str]], bool] = {}
        self._left_out: Counter[tuple[str, str]] = Counter()

    def look_at(self, values: Callable[[str], Iterator[Any]]) -> None:
        """Keep access to the values of a field in all rows, which show the roles in use."""
        self._values = values

    def apply(self, fields: Fields) -> None:
        """Raise `RowSkipped` where the business wrote the row."""
        for field, name in self.names.items():
            value = fields.get(field)
            if not is_blank(value) and self._is_of_business(field, name, value):
                self._left_out[self._headings[field], shown(value)] += 1
                raise RowSkipped("written_by_business", _LEFT_OUT)

    def _is_of_business(self, field: str, name: str, value: Any) -> bool:
        if name in _NAMES["flags"]:
            return read_yes_no(value) is True
        word = status_word(value)
        if pair := _PAIR.fullmatch(word):
            return (
                pair[1] in _WORDS["business"] | _WORDS["perhaps_business"]
                and pair[2] in _WORDS["customers"]
            )
        if by := _BY.fullmatch(word):
            word = by[1]
        elif about := _ABOUT.fullmatch(word):
            return about[1] in _WORDS["customers"]
        if name in _NAMES["recipients"]:
            return word in _WORDS["customers"]
        if word in _WORDS["given"]:
            return self._has_any(field, _WORDS["received"])
        is_plain = name in _NAMES["roles"] and word in _WORDS["business"]
        is_perhaps = word in _WORDS["business"] or word in _WORDS["perhaps_business"]
        return is_plain or (is_perhaps and self._has_any(field, _WORDS["customers"]))

    def _has_any(self, field: str, wanted: frozenset[str]) -> bool:
        """Whether any row has one of these words."""
        key = (field, wanted)
        if key not in self._found:
            words = map(status_word, self._values(field))
            self._found[key] = any(word in wanted for word in words)
        return self._found[key]

    def warnings(self) -> Iterator[ReadWarning]:
        if self._left_out:
            which = ", ".join(
                f"{shown(heading)} {value}: {count:,}"
                for (heading, value), count in self._left_out.most_common(5)
            )
            yield ReadWarning(
                code="written_by_business",
                message="Rows that the business itself wrote about customers, left out: "
                f"{self._left_out.total():,} ({which}).",
            )
