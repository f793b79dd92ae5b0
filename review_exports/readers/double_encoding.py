"""Texts whose UTF-8 bytes were taken for letters, as Meta writes them in its archives.

`é` is there the two letters `\\u00c3\\u00a9`. Where every text of a file beyond ASCII can be read
so, it is.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

_CHUNK = 1 << 18
# A letter that begins such a pair, escaped or as UTF-8.
_FIRST = re.compile(rb"\\u00[c-fC-F]|\xc3")
_OVERLAP = 5  # Bytes of a letter that the end of a chunk may cut off.


def may_be_double_encoded(file: BinaryIO) -> bool:
    """Whether the file has any letter of those; most files of English reviews have none."""
    file.seek(0)
    tail = b""
    while chunk := file.read(_CHUNK):
        if _FIRST.search(tail + chunk):
            return True
        tail = chunk[-_OVERLAP:]
    return False


def is_double_encoded(items: Iterable[Any]) -> bool:
    """Whether there is a text beyond ASCII, and all of them are bytes of UTF-8."""
    found = False
    for text in _texts(items):
        if not text.isascii():
            if _decoded(text) is None:
                return False
            found = True
    return found


def decode_twice(value: Any) -> Any:
    """The value with all texts in it decoded once more."""
    if isinstance(value, str):
        return value if value.isascii() else _decoded(value) or value
    if isinstance(value, dict):
        return {name: decode_twice(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [decode_twice(inner) for inner in value]
    return value


def _decoded(text: str) -> str | None:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return None


def _texts(items: Iterable[Any]) -> Iterator[str]:
    for item in items:
        stack = [item]
        while stack:
            value = stack.pop()
            if isinstance(value, str):
                yield value
            elif isinstance(value, dict):
                stack.extend(value.values())
            elif isinstance(value, list):
                stack.extend(value)
