"""Replies in rows of their own, as in WordPress, joined with their reviews."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from review_exports.formats.base import (
    RATING_FIELDS,
    Fields,
    Format,
    RowSkipped,
    fold_name,
    fold_names,
    is_blank,
)

_PARENTS = fold_names("comment_parent,parent_id,parent,in_reply_to,reply_to,reply_to_id,parent.id")
_USERS = fold_names("user_id,comment_user_id")
_FIRST_USER = "1"  # The user who installed WordPress.
_NO_PARENT = frozenset({"0", "-1", "null", "none"})
_TELLING = 4  # Letters that two names share at least.
_ATTACHED = "This row is the reply to another row's review; it is kept there."
_NOT_OURS = (
    "This row is a comment on another row's review, and nothing shows that the business wrote it; "
    "it is left out."
)


class Threads:
    """The rows of one file that answer others.

    A reply is the business's where its author bears the business's name, is the first user of the
    installation, or answers several reviews and has written none.
    """

    def __init__(self, format_: Format, names: Mapping[str, str], *, business: str) -> None:
        self._business = fold_name(business) if business else ""
        columns = dict(format_.columns)
        parent = next((name for name in _PARENTS if name in names), None)
        self.is_threaded = parent is not None and "review_id" in columns
        if parent is not None and self.is_threaded:
            columns["_parent"] = (parent,)
            columns["_user"] = tuple(name for name in _USERS if name in names)
            columns.setdefault("owner_reply", ("_",))
            columns.setdefault("owner_reply_date", ("_",))
        self.format = replace(format_, columns=columns)
        self._replies: dict[str, Fields] = {}

    def look_at(
        self, rows: Callable[[], Iterator[Fields]], check: Callable[[Fields], None]
    ) -> None:
        """Find the business's replies; `check` raises `RowSkipped` for what is not public."""
        authors: set[str] = set()  # Of reviews.
        answered: defaultdict[str, set[str]] = defaultdict(set)
        replies: list[tuple[str, str, Fields]] = []
        for fields in rows():
            author, parent = fold_name(str(fields.get("author") or "")), _parent(fields)
            if not parent:
                authors.add(author)
            elif _is_public(fields, check):
                answered[author].add(parent)
                replies.append((parent, author, fields))
        for parent, author, fields in replies:
            is_regular = author not in authors and len(answered[author]) > 1
            if self._is_business(author, fields) or is_regular:
                self._replies.setdefault(parent, fields)

    def _is_business(self, author: str, fields: Fields) -> bool:
        shorter, longer = sorted((author, self._business), key=len)
        is_named = len(shorter) >= _TELLING and longer.startswith(shorter)
        return is_named or _id(fields.get("_user")) == _FIRST_USER

    def apply(self, fields: Fields) -> None:
        """Add the reply to its review; raise `RowSkipped` for the reply's own row."""
        if parent := _parent(fields):
            reply = self._replies.get(parent, {})
            is_kept = reply and all(
                reply.get(name) == fields.get(name) for name in ("text", "date", "author")
            )
            raise RowSkipped("reply_row", _ATTACHED if is_kept else _NOT_OURS)
        reply = self._replies.get(_id(fields.get("review_id")), {})
        if reply and is_blank(fields.get("owner_reply")):
            fields["owner_reply"], fields["owner_reply_date"] = reply["text"], reply["date"]


def _id(value: Any) -> str:
    text = "" if is_blank(value) or isinstance(value, dict | list) else str(value).strip()
    return text.removesuffix(".0")


def _parent(fields: Fields) -> str:
    """The id of the review that a row answers; empty where it is a review."""
    parent = _id(fields.get("_parent"))
    has_stars = any(not is_blank(fields.get(name)) for name in RATING_FIELDS)
    return "" if parent.casefold() in _NO_PARENT or has_stars else parent


def _is_public(fields: Fields, check: Callable[[Fields], None]) -> bool:
    try:
        check(dict(fields))
    except (RowSkipped, ValueError):
        return False
    return not is_blank(fields.get("text"))
