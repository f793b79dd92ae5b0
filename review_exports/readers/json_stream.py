"""JSON documents, read item by item, so that a long list takes no more memory than its text."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TextIO, cast

from review_exports.limits import limited

LEVELS = 100  # Of nesting; no export has a tenth of that.
SHORT = 1_000  # A list of no more items is an ordinary one.
_WRAPPINGS = 4  # Levels around the items, which are read member by member.
_WINDOW = 1 << 16
_BLANKS = re.compile(r"[ \t\n\r]*")
_GOES_ON = {"", ".", "e", "E"}  # What may follow a number that is cut off, like 4 of 4.5.
_decoder = json.JSONDecoder(parse_constant=lambda _: None)


def bounded(value: Any) -> Any:
    """The value itself; raises `RecursionError` for more than `LEVELS` of objects and lists.

    Some versions of Python read values so deeply nested that nothing else can be done with them.
    """
    level = [value]
    for _ in range(LEVELS + 1):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return value
    raise RecursionError


def read(open_text: Callable[[], TextIO]) -> Any:
    """The one document of a text; raises `ValueError` or `RecursionError`."""
    with open_text() as text:
        reader = _Reader(text)
        document = reader.value(_WRAPPINGS)
        if reader.sign():
            raise ValueError
        return document


def documents(open_text: Callable[[], TextIO]) -> Iterator[Any]:
    """Documents that stand one after the other; raises as `read` does where one is broken."""
    with open_text() as text:
        reader = _Reader(text)
        values = (reader.value(_WRAPPINGS) for _ in iter(reader.sign, ""))
        yield from limited(values, name="documents")


class LongList:
    """A list whose items are kept as JSON in UTF-8, and decoded whenever they are read."""

    def __init__(self, items: list[bytes]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return (_decoder.decode(item.decode("utf-8", "surrogatepass")) for item in self._items)

    @property
    def head(self) -> list[Any]:
        return [*islice(self, SHORT)]


class _Reader:
    """Reads a text piece by piece for the decoder."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._held = ""
        self._at = 0

    def sign(self) -> str:
        """The next character that is not blank, which is still to be read; "" at the end."""
        while True:
            self._at = cast("re.Match[str]", _BLANKS.match(self._held, self._at)).end()
            if self._at < len(self._held) or not self._holds_more():
                return self._held[self._at : self._at + 1]

    def value(self, wrappings: int = 0) -> Any:
        """The next value; so many levels of lists, and of objects around them, in parts."""
        sign = self.sign() if wrappings else ""
        if sign == "[":
            items = [*limited(self._parts("]", self._item), name="items in a list")]
            return LongList(items) if len(items) > SHORT else [*LongList(items)]
        if sign == "{":
            members = self._parts("}", lambda: self._member(wrappings - 1))
            return dict(limited(members, name="members of an object"))
        return self._whole_value()[0]

    def _item(self) -> bytes:
        return self._whole_value()[1].encode("utf-8", "surrogatepass")

    def _member(self, wrappings: int) -> tuple[str, Any]:
        if self.sign() != '"':
            raise ValueError
        name = self._whole_value()[0]
        self._take(":")
        return name, self.value(wrappings)

    def _parts(self, end: str, read_part: Callable[[], Any]) -> Iterator[Any]:
        self._at += 1
        is_end = self.sign() == end and self._take(end) == end
        while not is_end:
            yield read_part()
            is_end = self._take("," + end) == end

    def _take(self, signs: str) -> str:
        sign = self.sign()
        if not sign or sign not in signs:
            raise ValueError
        self._at += 1
        return sign

    def _whole_value(self) -> tuple[Any, str]:
        """The next value, and its text."""
        while True:
            self.sign()
            try:
                value, end = _decoder.raw_decode(self._held, self._at)
            except ValueError:
                if self._holds_more():  # It may be the end of what is held that is at fault.
                    continue
                raise
            if self._held[end : end + 1] not in _GOES_ON or not self._holds_more():
                text = self._held[self._at : end]
                self._at = end
                return bounded(value), text

    def _holds_more(self) -> bool:
        """Read on; twice as far each time, so that one long value costs no more than its length."""
        rest = self._held[self._at :]
        if not (more := self._text.read(max(_WINDOW, len(rest)))):
            return False
        self._held, self._at = rest + more, 0
        return True
