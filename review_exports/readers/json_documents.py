"""JSON files as documents: one, several one after the other, or one on each line."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from review_exports.decoding import Encoding, lines, open_text
from review_exports.limits import limited
from review_exports.readers.tables import broken_row
from review_exports.records import file_refused

_LEVELS = 100  # Of nesting; no export has a tenth of that.
_AROUND = " \t\r\n\v\f\0\ufeff"  # What may stand around a document.
_LINE_MAX = 1 << 22  # Characters; no review is as long, but a document may be one line.
_decoder = json.JSONDecoder(parse_constant=lambda _: None)
_SIGN = re.compile(r"[^ \t\n\r]")  # What is no white space of JSON.
_SURPLUS = re.compile(r",[}\]]|.,[}\]]|,,")
_BROKEN_END = broken_row("json_invalid-end")
_BROKEN_LINE = broken_row("json_line_invalid")


def decode(text: str) -> Any:
    """The value of a JSON text; NaN and Infinity, which programs write for nothing, are null.

    Raises `ValueError`, and `RecursionError` for more than 100 levels of objects and lists.
    """
    return bounded(_decoder.decode(text))


def bounded(value: Any) -> Any:
    """The value itself; raises `RecursionError` for more than 100 levels of objects and lists.

    Some versions of Python read values so deeply nested that nothing else can be done with them.
    """
    level = [value]
    for _ in range(_LEVELS + 1):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return value
    raise RecursionError


def load_document(text: str) -> Any:
    """The one document of a text; any other is refused with the place of the fault."""
    try:
        return decode(text.strip(_AROUND))
    except json.JSONDecodeError as error:
        if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
            raise file_refused("json_invalid-end") from None
        error = _after_comma(error)
        rest = error.doc[error.pos :].lstrip()
        around = error.doc[: error.pos].rstrip()[-1:] + rest[:2]
        before = f", before the {rest[0]}" if rest[0] in "]}" else ""
        raise file_refused(
            "json_invalid-comma" if _SURPLUS.match(around) else "json_invalid",
            line=error.lineno,
            column=error.colno,
            fault=error.msg,
            before=before,
        ) from None
    except RecursionError:
        raise file_refused("json_invalid-depth") from None
    except ValueError:
        raise file_refused("json_invalid-number") from None


def _after_comma(error: json.JSONDecodeError) -> json.JSONDecodeError:
    """The fault at the bracket behind a surplus comma; Python 3.13 names the comma itself."""
    after = error.doc[error.pos + 1 :].lstrip()
    is_comma = error.doc[error.pos] == "," and after.startswith(("]", "}"))
    place = len(error.doc) - len(after) if is_comma else error.pos
    return json.JSONDecodeError(error.msg, error.doc, place)


def several(text: str) -> list[Any]:
    """The documents of a text that follow each other, as pages of an API that were joined.

    A `BrokenRow` stands for an end that cannot be read; empty where the text is no such.
    """
    documents = [*limited(_documents(text), name="documents")]
    is_several = len(documents) > 1 and all(isinstance(one, dict | list) for one in documents[:2])
    return documents if is_several else []


def _documents(text: str) -> Iterator[Any]:
    end = 0
    while start := _SIGN.search(text, end):
        try:
            value, end = _decoder.raw_decode(text, start.start())
            yield bounded(value)
        except (ValueError, RecursionError):
            yield _BROKEN_END
            return


# --- Lines ----------------------------------------------------------------------------------------


def first_lines(file: BinaryIO, encoding: Encoding) -> list[str]:
    """The first two lines that are not blank, each no longer than a review is."""
    with open_text(file, encoding) as text:
        starts = iter(lambda: text.readline(_LINE_MAX), "")
        texts = (line.strip(" \t\r\n\ufeff") for line in starts)
        return [*itertools.islice(filter(None, texts), 2)]


def is_object(line: str) -> bool:
    # A long line of a list need not be decoded.
    return line.startswith("{") and isinstance(_line_value(line), dict)


def line_items(file: BinaryIO, encoding: Encoding) -> Iterator[Any]:
    """The items of JSON Lines; a `BrokenRow` stands for one that cannot be read."""
    for line in lines(file, encoding):
        if text := line.strip(" \t\r\n\ufeff"):
            # Lines of a list that lost its brackets end with commas.
            yield _line_value(text.removesuffix(","))


def _line_value(text: str) -> Any:
    try:
        return decode(text)
    except (ValueError, RecursionError):
        return _BROKEN_LINE


# --- Letters encoded twice ------------------------------------------------------------------------


def is_double_encoded(items: Iterable[Any]) -> bool:
    """Whether items have texts beyond ASCII, and all of them are bytes of UTF-8.

    In archives of Meta `é` is the two letters `\\u00c3\\u00a9`.
    """
    found = False
    for item in items:
        text = json.dumps(item, ensure_ascii=False, default=repr)
        if not text.isascii():
            if _decoded_again(text) is None:
                return False
            found = True
    return found


def decode_twice(item: Any) -> Any:
    """The item with all texts in it decoded once more."""
    if not isinstance(item, dict):
        return item
    text = _decoded_again(json.dumps(item, ensure_ascii=False, default=repr))
    return item if text is None else json.loads(text)


def _decoded_again(text: str) -> str | None:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return None
