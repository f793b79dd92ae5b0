"""Replies in rows of their own, as WordPress exports them."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from review_exports.formats.base import Fields, RowSkipped, fold_name, is_blank
from review_exports.publication import Publication
from review_exports.rows import FieldRow

_FIRST_USER = "1"  # The user who installed WordPress.
_NO_PARENT = frozenset({"", "0", "-1"})
_ATTACHED = "This row is the reply to another row's review; it is kept there."
_NOT_OURS = (
    "This row is a comment on another row's review, and nothing shows that the business wrote it; "
    "it is left out."
)


class ReplyRows:
    """The business's replies of one file, by the id of the review they answer.

    A reply is the business's where its author bears the name of the business, is the first user of
    the installation, or is a user who answers several reviews and has written none.
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
            if (
                author in business_names
                or user == _FIRST_USER
                or (is_staff and len(answered[author]) > 1)
            ) and parent not in self._replies:
                self._replies[parent] = fields
                self._own.add(row)

    def attach(self, row: int, fields: Fields) -> None:
        """Add the reply to its review; raise `RowSkipped` for the reply's own row."""
        if parent_of(fields):
            raise RowSkipped("reply_row", _ATTACHED if row in self._own else _NOT_OURS)
        if reply := self._replies.get(_id(fields.get("review_id"))):
            fields["owner_reply"], fields["owner_reply_date"] = reply["text"], reply["date"]


def parent_of(fields: Fields) -> str:
    """The id of the review that a row answers; empty where it is a review."""
    parent = _id(fields.get("_parent"))
    return "" if parent in _NO_PARENT else parent


def _id(value: Any) -> str:
    return "" if is_blank(value) else str(value).strip().removesuffix(".0")
