"""Texts whose UTF-8 bytes were taken for letters, as Meta writes them in its archives.

`é` is there the two letters `\\u00c3\\u00a9`. Where every text of a file beyond ASCII can be read
so, it is.
"""

import json
from collections.abc import Iterable
from typing import Any


def is_double_encoded(items: Iterable[Any]) -> bool:
    """Whether the items have a text beyond ASCII, and all of them are bytes of UTF-8."""
    found = False
    for item in items:
        text = json.dumps(item, ensure_ascii=False, default=repr)
        if not text.isascii():
            if _decoded(text) is None:
                return False
            found = True
    return found


def decode_twice(item: Any) -> Any:
    """The item with all texts in it decoded once more."""
    text = (
        _decoded(json.dumps(item, ensure_ascii=False, default=repr))
        if isinstance(item, dict)
        else None
    )
    return item if text is None else json.loads(text)


def _decoded(text: str) -> str | None:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return None
