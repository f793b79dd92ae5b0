"""The bytes of `/insights.json`, with `per_review` looked through or left out."""

import re
from collections.abc import Iterator
from typing import Any

import orjson

# None of these can occur inside a JSON string, where every quotation mark follows a backslash.
_BEFORE = b',"per_review":{'
_BEHIND = b'},"faq":['
_ENTRY = b'":{"sentiment":{'  # Behind the id of a review.
_ID_LENGTH = 26
_BETWEEN = len(',"')  # An entry and the next id.


def without_evidence(document: bytes) -> bytes:
    """The document without `per_review`."""
    end = document.rindex(_BEHIND)
    return document[: document.index(_BEFORE)] + document[end + len("}") :]


def evidence(
    document: bytes, kind: str, subject: str, label: str = "", after: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The reviews that speak of a subject, newest first: their ids and entries in `per_review`.

    `kind` is one of the lists in an entry (`aspects`, `technicians`, ...), `label` what the reviews
    say of an aspect, `after` the id of the review that they follow. Raises `LookupError` where that
    has no entry.

    The bytes are searched, and no more entries read than are taken: to parse those of 100,000
    reviews takes a second.
    """
    start, end = document.index(_BEFORE), document.rindex(_BEHIND)
    if after:
        found = document.find(b'"%b%b' % (after.encode(), _ENTRY), start, end)
        if found < 0:
            raise LookupError(after)
        following = document.find(_ENTRY, found + _ID_LENGTH + len(_ENTRY), end)
        start = following if following >= 0 else end
    for mention in _mentions(kind, subject, label).finditer(document, start, end):
        behind_id = document.rfind(_ENTRY, start, mention.start())
        behind_next = document.find(_ENTRY, mention.end(), end)
        entry_end = behind_next - _ID_LENGTH - _BETWEEN if behind_next >= 0 else end
        ulid = document[behind_id - _ID_LENGTH : behind_id].decode()
        yield ulid, orjson.loads(document[behind_id + len('":') : entry_end])


def _mentions(kind: str, subject: str, label: str) -> re.Pattern[bytes]:
    """Bytes that an entry holds once if it mentions the subject."""
    wanted = re.escape(subject.encode())
    if kind == "aspects":
        return re.compile(b'{"id":"%b","label":"%b' % (wanted, re.escape(label.encode())))
    return re.compile(rb'"%b":\[(?:"[^"]*",)*"%b"' % (re.escape(kind.encode()), wanted))
