"""JSON documents of any length, whose long lists are read item by item."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TextIO, cast

from review_exports.limits import check_containers, limited

LEVELS = 100  # Of nesting; no export has a tenth of that.
_CONTAINERS = (dict, list)


def containers(value: Any) -> int:
    """The number of objects and lists; raises `RecursionError` for more than `LEVELS` of them.

    Some versions of Python read values so deeply nested that nothing else can be done with them.
    """
    level = [value] if isinstance(value, _CONTAINERS) else []
    count = 0
    for _ in range(LEVELS):
        if not level:
            return count
        count += len(level)
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, _CONTAINERS)
        ]
    raise RecursionError


def bounded(value: Any) -> Any:
    """The value itself; raises `RecursionError` as `containers` does."""
    containers(value)
    return value


SHORT = 1_000  # A list of no more items is an ordinary one.
_WINDOW = 1 << 16
_WHITE_SPACE = re.compile(r"[ \t\n\r]*")
_GOES_ON = {"", ".", "e", "E"}  # What may follow a number that is cut off, like 4 of 4.5.
_decode = json.JSONDecoder(parse_constant=lambda _: None).raw_decode


class NotStreamed(Exception):
    """The document must be read in one piece: it is broken, or names a member twice."""


class LongList:
    """A list that is the document, or a member of the object that is. Iterating reads the file."""

    def __init__(self, open_text: Callable[[], TextIO], member: str | None) -> None:
        self._open_text = open_text
        self._member = member
        self.head: list[Any] = []

    def __iter__(self) -> Iterator[Any]:
        with self._open_text() as text:
            window = _Window(text)
            if self._member is not None:
                window.go_to(self._member)
            yield from window.items()


def read(open_text: Callable[[], TextIO]) -> Any:
    """The document, read to its end once, with a `LongList` in the place of each long list.

    Raises `NotStreamed`.
    """
    try:
        with open_text() as text:
            window = _Window(text)
            document = _document(window, open_text)
            if window.sign():
                raise NotStreamed
    except (ValueError, RecursionError) as error:
        raise NotStreamed from error
    return document


def documents(open_text: Callable[[], TextIO]) -> Iterator[Any]:
    """Documents that stand one after the other, each read as it is asked for.

    Raises `ValueError` or `RecursionError` where one of them is broken.
    """
    with open_text() as text:
        yield from limited(_Window(text).documents(), name="documents")


def _document(window: "_Window", open_text: Callable[[], TextIO]) -> Any:
    if window.sign() == "[":
        return _list(window, LongList(open_text, None))
    document: dict[str, Any] = {}
    for name in window.members():
        if name in document:
            raise NotStreamed
        is_list = window.sign() == "["
        value = _list(window, LongList(open_text, name)) if is_list else window.value()
        document[name] = value
    return document


def _list(window: "_Window", long: LongList) -> list[Any] | LongList:
    items = window.items()
    long.head = list(islice(items, SHORT))
    has_more = False
    for _ in items:
        has_more = True
    return long if has_more else long.head


class _Window:
    """A text, of which it holds the part that is being read."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._held = ""
        self._at = 0
        self._containers = 0

    def sign(self) -> str:
        """The next character that is no white space, which is still to be read; none at the end."""
        while True:
            self._at = cast("re.Match[str]", _WHITE_SPACE.match(self._held, self._at)).end()
            if self._at < len(self._held) or not self._holds_more():
                return self._held[self._at : self._at + 1]

    def value(self) -> Any:
        while True:
            self.sign()
            try:
                value, end = _decode(self._held, self._at)
            except ValueError:
                if self._holds_more():  # It may be the end of what is held that is at fault.
                    continue
                raise
            is_whole = self._held[end : end + 1] not in _GOES_ON
            if is_whole or not self._holds_more():
                self._at = end
                self._containers += containers(value)
                check_containers(self._containers)
                return value

    def documents(self) -> Iterator[Any]:
        """The documents that stand one after the other from here on."""
        while self.sign():
            yield self.value()

    def items(self) -> Iterator[Any]:
        """The items of the list that begins here."""
        yield from limited(self._items(), name="items in a list")

    def _items(self) -> Iterator[Any]:
        self._take("[")
        if self.sign() == "]":
            self._take("]")
            return
        yield self.value()
        while self._take(",]") == ",":
            yield self.value()

    def members(self) -> Iterator[str]:
        """The names in the object that begins here; the caller reads each value before the next."""
        yield from limited(self._members(), name="members of an object")

    def _members(self) -> Iterator[str]:
        self._take("{")
        if self.sign() == "}":
            self._take("}")
            return
        yield self._name()
        while self._take(",}") == ",":
            yield self._name()

    def go_to(self, member: str) -> None:
        """Pass over the members of the object that begins here, up to the value of this one."""
        for name in self.members():
            if name == member:
                return
            if self.sign() == "[":
                for _ in self.items():
                    pass
            else:
                self.value()

    def _name(self) -> str:
        if self.sign() != '"':
            raise NotStreamed
        name: str = self.value()
        self._take(":")
        return name

    def _take(self, signs: str) -> str:
        sign = self.sign()
        if not sign or sign not in signs:
            raise NotStreamed
        self._at += 1
        return sign

    def _holds_more(self) -> bool:
        """Read on; twice as far each time, so that one long value costs no more than its length."""
        rest = self._held[self._at :]
        if not (more := self._text.read(max(_WINDOW, len(rest)))):
            return False
        self._held, self._at = rest + more, 0
        return True
