"""Columns and members that say whether a review may be published, and their values.

Publication fails closed: a column that speaks of publication, consent, privacy, moderation or
deletion is read, or a person is asked what it means; a value of it that is neither yes nor no is a
row error.
"""

import datetime as dt
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from review_exports.formats.base import (
    WRAPPINGS,
    Fields,
    Format,
    RowSkipped,
    fold_name,
    is_blank,
)
from review_exports.options import IGNORED
from review_exports.publication_names import (
    ADDRESSES,
    ANONYMOUS_NAMES,
    FLAGS_OR_WORDS,
    MAY_BE_ADDRESS,
    MEANINGS,
    meaning_of,
)
from review_exports.records import PublicationUnclear, Question, Subject
from review_exports.rows import NULL_STRINGS
from review_exports.values import ValueRefused, shown
from review_exports.values.dates import MEMO_MAX
from review_exports.values.people import is_contact, is_phone
from review_exports.values.permissions import (
    forbids,
    is_word_of_publication,
    read_permission,
    read_status,
    read_withholding,
    read_yes_no,
    status_word,
)

# The answers of a person to a question about a column.
ANSWERS = {
    "published": "yes means that the review may be published",
    "withheld": "yes means that it must not be published",
    IGNORED: "it does not say whether a review may be published",
}
STATUS_MEANINGS = ("public", "hidden")

# Parts of a heading beside its name: that of a wrapping, or a remark.
_ASIDE = re.compile(
    rf"^(?:{'|'.join(WRAPPINGS)})(?:[/.]|__)|^your\b|[(\[](?:optional|required)[)\]]|[/.]value$",
    re.IGNORECASE,
)
_NO_DATE = re.compile(r"^(?:0000|0001-01-01|1\.1\.0001)")  # How databases write no date at all.
_SAMPLES = 3
_OF_NAME = frozenset({"name", "anonymous"})  # These hide the author alone.
_LOOKED_AT = 100
_EARLY_ROWS = 5_000  # Nearly every file of one business ends before.
_CODE_MAX = 3  # Letters of a state, like CA or NSW.


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that is read for what it says of publication."""

    field: str  # Under which the rows have its values.
    meaning: str
    heading: str


class Publication:
    """The columns of one file that decide whether a review, or its reply, is published.

    `names` has the names of the file by their folded names; `outer` those that are asked about
    where they speak of publication in a way that is not understood. `values` gives what all rows
    have under a folded name. Raises `PublicationUnclear`.
    """

    def __init__(
        self,
        format_: Format,
        *,
        names: Mapping[str, str],
        outer: Iterable[str],
        answers: Mapping[str, str],
        values: Callable[[str], Iterator[Any]],
    ) -> None:
        self._values = values
        self._names = names.keys()
        self._is_anonymous_read = "_anonymous" in format_.columns
        self.columns: list[_Column] = []
        self.reply_columns: list[_Column] = []
        self._unclear: list[str] = []
        sources = frozenset(format_.columns.get("source", ()))
        self._taken = {
            name for names_read in format_.columns.values() for name in names_read
        } - sources
        explicit = {
            name: meaning
            for meaning in MEANINGS
            for field in (meaning, "_" + meaning)
            for name in format_.columns.get(field, ())
        }
        of_reply = {
            name: meaning
            for meaning in MEANINGS
            for name in format_.columns.get("_reply_" + meaning, ())
        }
        read = {
            name
            for field, read_names in format_.columns.items()
            if not field.startswith("_") and field not in MEANINGS
            # A day of publication may say by being there, or not, that there was one.
            for name in (read_names[:1] if field == "date" else read_names)
        }
        replies = sorted(format_.columns.get("owner_reply", ()), key=len, reverse=True)
        may_ask = frozenset(outer)
        for name, heading in names.items():
            meaning = answers.get(name) or explicit.get(name)
            if name in of_reply:
                self._add(name, heading, of_reply[name], is_of_reply=True)
            elif meaning is not None:
                if meaning != IGNORED:
                    self._add(name, heading, meaning)
            elif name not in read or (name in sources and _are_statuses(self._early(name))):
                self._classify(name, heading, replies, may_ask=name in may_ask)
        if self._unclear:
            raise self._question(names)
        columns = {
            field: found for field, found in format_.columns.items() if field not in MEANINGS
        }
        for column in (*self.columns, *self.reply_columns):
            columns[column.field] = (column.field.partition(":")[2],)
        self.format = replace(format_, columns=columns)

    def _add(self, name: str, heading: str, meaning: str, *, is_of_reply: bool = False) -> None:
        prefix = "_reply_" if is_of_reply else "_"
        column = _Column(f"{prefix}{meaning}:{name}", meaning, heading)
        (self.reply_columns if is_of_reply else self.columns).append(column)

    def _classify(self, name: str, heading: str, replies: Sequence[str], *, may_ask: bool) -> None:
        if reply := next((one for one in replies if one in name and one != name), None):
            rest = meaning_of(name.replace(reply, "", 1))
            if rest in MEANINGS:
                self._add(name, heading, rest, is_of_reply=True)
            return
        if name in ANONYMOUS_NAMES and not self._is_anonymous_read:
            self._add(name, heading, "anonymous")
            return
        meaning = meaning_of(name) or meaning_of(fold_name(_ASIDE.sub("", heading)))
        if may_ask or meaning not in {None, "unclear", "name"}:
            self._add_known(name, heading, meaning)

    def _add_known(self, name: str, heading: str, meaning: str | None) -> None:
        """Add the column by its meaning, or by its values where its name has none."""
        if meaning is None:
            if name in FLAGS_OR_WORDS and None not in map(read_yes_no, self._filled(name)):
                self._add(name, heading, FLAGS_OR_WORDS[name])
            elif name not in self._taken:
                early = [*self._early(name)]
                if _are_statuses(early) or any(map(forbids, early)):
                    self._unclear.append(name)
            return
        if meaning == "status" and name in MAY_BE_ADDRESS:
            if self._is_address(name):
                return
        elif meaning == "unclear":
            looked_at = [*itertools.islice(self._filled(name), _LOOKED_AT)]
            if not looked_at:
                return
            if not all(map(is_word_of_publication, looked_at)):
                self._unclear.append(name)
                return
            meaning = "status"
        self._add(name, heading, meaning)

    def _is_address(self, name: str) -> bool:
        """Whether a state is that of a customer's address."""
        filled = [*itertools.islice(self._filled(name), _LOOKED_AT)]
        if any(map(is_word_of_publication, filled)):
            return False
        are_codes = all(len(str(value).strip()) <= _CODE_MAX for value in filled)
        return are_codes or not ADDRESSES.isdisjoint(self._names)

    def _early(self, name: str) -> Iterator[Any]:
        """Yield the values of the first rows; each column costs a reading of the file."""
        early = itertools.islice(self._values(name), _EARLY_ROWS)
        return (value for value in early if not says_nothing(value))

    def _filled(self, name: str) -> Iterator[Any]:
        return (value for value in self._values(name) if not says_nothing(value))

    def _question(self, names: Mapping[str, str]) -> PublicationUnclear:
        subjects = []
        for name in self._unclear:
            filled = [*self._filled(name)]
            public = (value for value in filled if not _is_private(value))
            samples = tuple(dict.fromkeys(map(shown, public)))[:_SAMPLES]
            subjects.append(Subject(name=names[name], count=len(filled), samples=samples))
        return PublicationUnclear(Question(kind="publication", subjects=tuple(subjects)))

    @property
    def meanings(self) -> dict[str, str]:
        """Heading -> what it says of a review's publication, for mapping pages."""
        return {
            column.heading: column.meaning for column in self.columns if column.meaning in MEANINGS
        }

    @property
    def has_columns(self) -> bool:
        """Whether the file says anything of publication."""
        return bool(self.columns or self.reply_columns)


class Checks:
    """Decides for one row after another whether it may be published.

    `values` gives the values of all rows for a field.
    """

    def __init__(
        self,
        publication: Publication,
        *,
        today: dt.date,
        statuses: Mapping[str, str],
        values: Callable[[str], Iterator[Any]],
    ) -> None:
        self._columns = publication.columns
        self._reply_columns = publication.reply_columns
        self._today = today
        self._statuses = statuses
        self._values = values
        self._blank_hides: dict[str, bool] = {}
        self.unclear_statuses: Counter[str] = Counter()
        self.private_replies = 0
        self._memo: dict[tuple[str, str], bool | None] = {}

    def apply(self, fields: Fields) -> None:
        """Raise `RowSkipped` for what is not public, `ValueRefused` for what is not understood."""
        unclear: ValueRefused | None = None
        for column in self._columns:
            value = fields.get(column.field)
            is_empty = says_nothing(value)
            if is_empty and not self._is_hidden_by_blank(column, fields):
                continue
            is_public = not is_empty and self._read(column, value)
            if column.meaning in _OF_NAME:
                if not is_public:
                    fields["author"] = fields["_first_name"] = fields["_last_name"] = None
            elif is_public is None:
                unclear = unclear or self._refusal(column, value)
            elif not is_public:
                raise _not_published(column)
        if unclear:
            raise unclear
        if self._reply_columns and not is_blank(fields.get("owner_reply")):
            self._check_reply(fields)

    def apply_unexpected(self, name: str, value: Any, answer: str | None) -> None:
        """Judge a member, by its folded name, that the first objects did not have."""
        meaning = answer or meaning_of(name)
        if meaning in {None, "name", IGNORED} or says_nothing(value):
            return
        column = _Column(f"_{meaning}:{name}", str(meaning), name)
        is_public = self._read(column, value) if meaning in MEANINGS else None
        if is_public is None:
            raise self._refusal(column, value)
        if not is_public:
            raise _not_published(column)

    def _check_reply(self, fields: Fields) -> None:
        for column in self._reply_columns:
            if says_nothing(value := fields.get(column.field)):
                continue
            if not self._read(column, value):  # Also where the value is not understood.
                fields["owner_reply"] = fields["owner_reply_date"] = None
                self.private_replies += 1
                return

    def _read(self, column: _Column, value: Any) -> bool | None:
        if not isinstance(value, str):
            return self._read_value(column, value)
        key = (column.field, value)
        if key not in self._memo:
            if len(self._memo) >= MEMO_MAX:
                self._memo.clear()
            self._memo[key] = self._read_value(column, value)
        return self._memo[key]

    def _read_value(self, column: _Column, value: Any) -> bool | None:
        if isinstance(value, list):
            read = {self._read(column, one) for one in value}
            return False if False in read else None if None in read else True
        if column.meaning == "status":
            if answer := self._statuses.get(status_word(value)):
                return answer == "public"
            return read_status(value)
        if column.meaning == "anonymous":
            return read_yes_no(value) is False
        if column.meaning == "withheld":
            withheld = read_withholding(value)
            return None if withheld is None else not withheld
        return read_permission(value, today=self._today)

    def _is_hidden_by_blank(self, column: _Column, fields: Fields) -> bool:
        """Whether an empty cell means no, since others of the column say yes."""
        if column.meaning not in {"published", "name"} or is_blank(fields.get("date")):
            return False
        hides = self._blank_hides.get(column.field)
        if hides is None:
            hides = self._blank_hides[column.field] = any(
                read_permission(value, today=self._today)
                for value in self._values(column.field)
                if not says_nothing(value)
            )
        return hides

    def _refusal(self, column: _Column, value: Any) -> ValueRefused:
        heading, quoted = shown(column.heading), "" if _is_private(value) else value
        if column.meaning == "status":
            if not _is_private(value):
                self.unclear_statuses[shown(value)] += 1
            return ValueRefused(
                "status",
                "status_unclear",
                f"status: {heading} says {_quoted(value)}, which is not known to mean that the "
                "review is public, or that it is not. Say once what the word means, or write "
                "published or hidden.",
                quoted,
            )
        field = column.meaning if column.meaning in MEANINGS else "published"
        return ValueRefused(
            field,
            "publication_unclear",
            f"{field}: {heading} says {_quoted(value)}, neither yes nor no, so it is not known "
            "whether the review may be published. Write yes or no.",
            quoted,
        )


def _are_statuses(values: Iterable[Any]) -> bool:
    """Whether all values speak of publication, and some of them against it."""
    is_hidden = False
    for value in values:
        if not isinstance(value, str) or not is_word_of_publication(value):
            return False
        is_hidden = is_hidden or read_status(value) is False
    return is_hidden


def _is_private(value: Any) -> bool:
    """Whether a value is an address or a number of a person, as where cells have moved."""
    text = shown(value)
    return is_contact(text) or is_phone(text)


def _quoted(value: Any) -> str:
    return "something else" if _is_private(value) else repr(shown(value))


def _not_published(column: _Column) -> RowSkipped:
    sentence = f"{shown(column.heading)} says that this review is not for the public; it is left"
    return RowSkipped("not_published", f"{sentence} out.")


def says_nothing(value: Any) -> bool:
    """Whether a value is blank, also as databases and programs write it."""
    if isinstance(value, list):
        return any(isinstance(one, dict | list) for one in value) or all(map(says_nothing, value))
    if is_blank(value) or isinstance(value, dict) or value in NULL_STRINGS:
        return True
    return isinstance(value, str) and _NO_DATE.match(value.strip()) is not None
