"""JSON files with one document, several documents, or one document per line."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from review_exports.decoding import Encoding, lines, open_text
from review_exports.limits import limited
from review_exports.readers.tables import broken_row
from review_exports.records import file_refused

_LEVELS = 100  # Maximum nesting; exports have less than a tenth of that.
_PADDING = " \t\r\n\v\f\0\ufeff"  # Characters that may surround a document.
_LINE_MAX = 1 << 22  # Characters; longer than a review, but a document may be one long line.
_decoder = json.JSONDecoder(parse_constant=lambda _: None)
_NON_SPACE = re.compile(r"[^ \t\n\r]")  # White space as JSON defines it.
_SURPLUS_COMMA = re.compile(r",[}\]]|.,[}\]]|,,")
_BROKEN_END = broken_row("json_invalid-end")
_BROKEN_LINE = broken_row("json_line_invalid")


def decode(text: str) -> Any:
    """Decode a JSON text; NaN and Infinity, which programs write for missing values, are null.

    Raises `ValueError`, and `RecursionError` for more than 100 levels of objects and lists.
    """
    return bounded(_decoder.decode(text))


def bounded(value: Any) -> Any:
    """Return the value; raise `RecursionError` if it has more than 100 levels of nesting.

    Some versions of Python decode values that are too deeply nested for any other operation.
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
    """Load the single document of a text; a refusal names the place of the fault."""
    try:
        return decode(text.strip(_PADDING))
    except json.JSONDecodeError as error:
        if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
            raise file_refused("json_invalid-end") from None
        error = _after_comma(error)
        rest = error.doc[error.pos :].lstrip()
        around = error.doc[: error.pos].rstrip()[-1:] + rest[:2]
        before = f", before the {rest[0]}" if rest[0] in "]}" else ""
        raise file_refused(
            "json_invalid-comma" if _SURPLUS_COMMA.match(around) else "json_invalid",
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
    """Move the fault to the bracket after a surplus comma; Python 3.13 reports the comma."""
    after = error.doc[error.pos + 1 :].lstrip()
    is_comma = error.doc[error.pos] == "," and after.startswith(("]", "}"))
    place = len(error.doc) - len(after) if is_comma else error.pos
    return json.JSONDecodeError(error.msg, error.doc, place)


def several(text: str) -> list[Any]:
    """Load consecutive documents of a text, such as joined pages of an API.

    A `BrokenRow` stands for an unreadable end. The list is empty if there are not several.
    """
    documents = [*limited(_documents(text), name="documents")]
    is_several = len(documents) > 1 and all(isinstance(one, dict | list) for one in documents[:2])
    return documents if is_several else []


def _documents(text: str) -> Iterator[Any]:
    end = 0
    while start := _NON_SPACE.search(text, end):
        try:
            value, end = _decoder.raw_decode(text, start.start())
            yield bounded(value)
        except (ValueError, RecursionError):
            yield _BROKEN_END
            return


# --- Lines ----------------------------------------------------------------------------------------


def first_lines(file: BinaryIO, encoding: Encoding) -> list[str]:
    """Return the first two lines that are not blank; long lines are cut off."""
    with open_text(file, encoding) as text:
        starts = iter(lambda: text.readline(_LINE_MAX), "")
        texts = (line.strip(" \t\r\n\ufeff") for line in starts)
        return [*itertools.islice(filter(None, texts), 2)]


def is_object(line: str) -> bool:
    # Checking the first character avoids decoding a long list.
    return line.startswith("{") and isinstance(_line_value(line), dict)


def line_items(file: BinaryIO, encoding: Encoding) -> Iterator[Any]:
    """Yield the items of JSON Lines; a `BrokenRow` stands for an unreadable one."""
    for line in lines(file, encoding):
        if text := line.strip(" \t\r\n\ufeff"):
            # Lines of a list without its brackets end with commas.
            yield _line_value(text.removesuffix(","))


def _line_value(text: str) -> Any:
    try:
        return decode(text)
    except (ValueError, RecursionError):
        return _BROKEN_LINE


# --- Double encoding ------------------------------------------------------------------------------


def is_double_encoded(items: Iterable[Any]) -> bool:
    """Whether all texts beyond ASCII, if any, are UTF-8 that was decoded as Latin-1.

    In archives of Meta `é` is written as `\\u00c3\\u00a9`.
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
    """Decode all texts of a doubly encoded item once more."""
    if not isinstance(item, dict):
        return item
    text = _decoded_again(json.dumps(item, ensure_ascii=False, default=repr))
    return item if text is None else json.loads(text)


def _decoded_again(text: str) -> str | None:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return None
