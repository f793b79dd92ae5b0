"""Filter of rows by their deciding columns and place; rows that are replies to others."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from review_exports.formats.base import Fields, RowSkipped, fold_name, fold_value, is_blank
from review_exports.places import place_names
from review_exports.proposals import ANY_DAY, ANY_TEXT, reads_as_date
from review_exports.records import ReadWarning, warning
from review_exports.rows import FieldRow
from review_exports.values import shown

_FIRST_USER = "1"  # Id of the user who installed WordPress.
_NO_PARENT = frozenset({"", "0", "-1"})
_NAMED_MAX = 10  # Values and places that a warning names.


@dataclass(frozen=True, slots=True)
class DecidingColumn:
    """A column whose values decide; `decisions` has folded values, and "" for blank."""

    folded: str
    name: str
    decisions: Mapping[str, bool]

    @property
    def field(self) -> str:
        """The field of its value in rows."""
        return f"_decides:{self.folded}"

    def permits(self, value: Any) -> bool:
        """Whether all values permit publication; a blank or unknown value does not."""
        values = value if isinstance(value, list) else [value]
        return bool(values) and all(self._permits(one) for one in values)

    def _permits(self, value: Any) -> bool:
        folded = fold_value(value)
        decision = self.decisions.get(folded)
        if decision is None and ANY_DAY in self.decisions and reads_as_date(value):
            decision = self.decisions[ANY_DAY]
        if decision is None and folded:
            decision = self.decisions.get(ANY_TEXT)
        return decision is True


class Publication:
    """Decides about publishing the rows of one file, and counts those left out."""

    def __init__(
        self,
        columns: tuple[DecidingColumn, ...],
        reply_columns: tuple[DecidingColumn, ...],
        places: Mapping[str, bool],
    ) -> None:
        self._columns = columns
        self._reply_columns = reply_columns
        self._places = places
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._other_places: Counter[str] = Counter()
        self._private_replies = 0

    def check(self, fields: Fields) -> None:
        """Raise `RowSkipped` for an unpublished row; remove an unpublished reply."""
        for column in self._columns:
            value = fields.get(column.field)
            if not column.permits(value):
                said = "blank" if is_blank(value) else shown(value)
                self._left_out[column.name, said] += 1
                raise RowSkipped("not_published", name=shown(column.name), said=said)
        if self._places:
            self._check_place(fields)
        if self._reply_columns and not is_blank(fields.get("owner_reply")):
            for column in self._reply_columns:
                if not column.permits(fields.get(column.field)):
                    fields["owner_reply"] = fields["owner_reply_date"] = None
                    self._private_replies += 1
                    return

    def permits(self, fields: Fields) -> bool:
        """Whether each deciding column permits the row."""
        return all(column.permits(fields.get(column.field)) for column in self._columns)

    def _check_place(self, fields: Fields) -> None:
        names = place_names(fields)
        decisions = [self._places[name] for name in map(fold_name, names) if name in self._places]
        # A row without a place counts as the business's own if all known places are.
        if decisions[0] if decisions else all(self._places.values()):
            return
        self._other_places[next(iter(names), "no place")] += 1
        raise RowSkipped("other_place")

    def warnings(self) -> Iterator[ReadWarning]:
        """Yield warnings about what was left out, after the last row."""
        for name in dict.fromkeys(name for name, _ in self._left_out):
            values = [(said, n) for (of, said), n in self._left_out.most_common() if of == name]
            count = sum(n for _, n in values)
            key = "not_published-one" if count == 1 else "not_published"
            which = ", ".join(f"{said} ({n:,})" for said, n in values[:_NAMED_MAX])
            yield warning(key, count=count, name=shown(name), which=which)
        if self._other_places:
            places = self._other_places.most_common(_NAMED_MAX)
            which = ", ".join(f"{shown(name)}: {count:,}" for name, count in places)
            yield warning("other_places_left_out", which=which)
        if count := self._private_replies:
            yield warning("replies_not_public", count=count)


class ReplyRows:
    """Replies of the business that have rows of their own, by the id of the review.

    A reply is the business's if its author has the name of the business, is the first user of the
    installation, or is a user who answers several reviews and has written none.
    """

    def __init__(
        self, rows: Iterable[FieldRow], publication: Publication, business_names: frozenset[str]
    ) -> None:
        self._replies: dict[str, Fields] = {}
        self._own: set[int] = set()
        reviewers: set[str] = set()
        answered: defaultdict[str, set[str]] = defaultdict(set)
        replies: list[tuple[int, str, str, Fields]] = []
        for row, fields, _ in rows:
            if not isinstance(fields, dict):
                continue
            author, parent = fold_name(str(fields.get("author") or "")), parent_of(fields)
            if not parent:
                reviewers.add(author)
            elif publication.permits(fields) and not is_blank(fields.get("text")):
                answered[author].add(parent)
                replies.append((row, parent, author, fields))
        for row, parent, author, fields in replies:
            user = _id(fields.get("_user"))
            is_staff = user not in _NO_PARENT and author not in reviewers
            answers_several = is_staff and len(answered[author]) > 1
            is_own = author in business_names or user == _FIRST_USER or answers_several
            if is_own and parent not in self._replies:
                self._replies[parent] = fields
                self._own.add(row)

    def attach(self, row: int, fields: Fields) -> None:
        """Add the reply to a review's fields; raise `RowSkipped` for the row of a reply."""
        if parent_of(fields):
            raise RowSkipped("reply_row" if row in self._own else "reply_row-other")
        if reply := self._replies.get(_id(fields.get("review_id"))):
            fields["owner_reply"], fields["owner_reply_date"] = reply["text"], reply["date"]


def parent_of(fields: Fields) -> str:
    """The id of the review that a row answers; empty if the row is a review."""
    parent = _id(fields.get("_parent"))
    return "" if parent in _NO_PARENT else parent


def _id(value: Any) -> str:
    return "" if is_blank(value) else str(value).strip().removesuffix(".0")
