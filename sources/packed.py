"""Contact data in workbooks, archives and gzip: emptied before anything is stored.

A workbook keeps the cells that the importer reads; links, comments and properties are left out.
What is damaged stays so, for the importer to refuse.
"""

import gzip
import io
import re
import time
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import XMLGenerator

from defusedxml.sax import make_parser
from django.conf import settings

from review_exports.readers.archives import Archive
from review_exports.readers.workbook import is_workbook
from review_exports.records import FileRefused
from sources.client import bounded_gunzip
from sources.contacts import is_contact_name, is_contact_value, is_id_name, without_contacts

_ROOT = re.compile(rb"<(?:\w+:)?(Types|workbook|styleSheet|sst|worksheet)\b")
_RELATIONS = frozenset({"_rels/.rels", "xl/_rels/workbook.xml.rels"})
_LETTERS = re.compile("[A-Z]{1,3}")
_NAME_MAX = 80
_READ = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".jsonld", ".xlsx")


def stored_content(
    content: bytes, levels: int = 3, *, on_chunk: Callable[[], None] = lambda: None
) -> bytes:
    """A source's file without contact data, packed `levels` times at most.

    What unpacks to more than `IMPORT_MAX_BYTES` stays as it came, but for workbooks. A long
    workbook takes minutes: `on_chunk` is called for each part of it.
    """
    if not levels or not content.startswith((b"PK", b"\x1f\x8b")):
        return without_contacts(content)
    if content.startswith(b"PK"):
        try:
            return _archive(Archive(io.BytesIO(content)), content, levels - 1, on_chunk)
        except FileRefused:
            return content
    try:
        unpacked = bounded_gunzip(content, settings.IMPORT_MAX_BYTES)
    except zlib.error:
        return content
    if unpacked is None:
        return content
    kept = stored_content(unpacked, levels - 1, on_chunk=on_chunk)
    return content if kept == unpacked else gzip.compress(kept)


def _archive(archive: Archive, content: bytes, levels: int, on_chunk: Callable[[], None]) -> bytes:
    """The archive with each entry filtered; raises `FileRefused`."""
    packed, is_changed = io.BytesIO(), False
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        if is_workbook(archive):
            _Workbook(archive, on_chunk).write(target)
            names, is_changed = [], True
        else:
            names = archive.names
        for name in names:
            on_chunk()
            entry = _bounded(archive.chunks(name))
            if entry is None:
                return content
            is_read = name.lower().endswith(_READ)
            kept = stored_content(entry, levels, on_chunk=on_chunk) if is_read else entry
            is_changed = is_changed or kept != entry
            target.writestr(name, kept)
    return packed.getvalue() if is_changed else content


def _bounded(chunks: Iterator[bytes]) -> bytes | None:
    """All chunks; None for more bytes than a file may have."""
    entry = bytearray()
    for chunk in chunks:
        entry += chunk
        if len(entry) > settings.IMPORT_MAX_BYTES:
            return None
    return bytes(entry)


class _Workbook:
    """The parts of a workbook that the importer reads."""

    def __init__(self, archive: Archive, on_chunk: Callable[[], None]) -> None:
        self._archive, self._on_chunk = archive, on_chunk
        self._until = time.monotonic() + settings.IMPORT_READ_TIMEOUT
        self._roots = {name: self._root(name) for name in archive.names}
        self.names: dict[str, str] = {}  # Short shared texts by number, as cells give it.
        self.kept: set[str] = set()  # Numbers of shared texts in cells that are not emptied.
        self.ids: set[str] = set()

    def _root(self, name: str) -> str:
        found = _ROOT.search(next(self._archive.chunks(name), b""))
        return found[1].decode() if found else ""

    def write(self, target: zipfile.ZipFile) -> None:
        """Write the parts, the shared texts last; raises `FileRefused`."""
        self._parse("sst", lambda _: _SharedNames(self.names))
        for name, root in self._roots.items():
            if root in {"Types", "workbook", "styleSheet"} or name in _RELATIONS:
                with target.open(name, "w") as part:
                    for chunk in self._archive.chunks(name):
                        part.write(chunk)
        self._parse("worksheet", lambda part: _Sheet(part, self), target)
        self._parse("sst", lambda part: _SharedTexts(part, self), target)

    def _parse(
        self,
        root: str,
        handler: Callable[[io.TextIOWrapper], ContentHandler],
        target: zipfile.ZipFile | None = None,
    ) -> None:
        for name in [name for name, found in self._roots.items() if found == root]:
            opened = target.open(name, "w", force_zip64=True) if target else io.BytesIO()
            with io.TextIOWrapper(opened, "utf-8", newline="") as part:
                parser = make_parser()
                parser.setContentHandler(handler(part))
                try:
                    for chunk in self._archive.chunks(name):
                        if time.monotonic() > self._until:
                            break
                        self._on_chunk()
                        parser.feed(chunk)
                    else:
                        parser.close()
                # The parser's errors for entities and for unknown encodings are of the last kinds.
                except (SAXException, ValueError, LookupError):
                    continue  # A part that ends early is refused by the importer as damaged.


def _local(name: str) -> str:
    return name.rpartition(":")[2]


class _SharedNames(ContentHandler):
    """Collects the shared texts that may be headings."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names, self._text, self._number = names, "", 0

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        if _local(name) == "si":
            self._text = ""

    def characters(self, content: str) -> None:
        if len(self._text) <= _NAME_MAX:
            self._text += content

    def endElement(self, name: str) -> None:  # noqa: N802
        if _local(name) == "si":
            names_column = is_contact_name(self._text) or is_id_name(self._text)
            if names_column and len(self._text) <= _NAME_MAX:
                self._names[str(self._number)] = self._text
            self._number += 1


class _Held(ContentHandler, ABC):
    """Writer of the events of a part; holds one kind of element back until its end."""

    element = ""

    def __init__(self, part: io.TextIOWrapper) -> None:
        super().__init__()
        self._writer = XMLGenerator(part, "utf-8")
        self._held: list[Callable[[], None]] | None = None
        self._text = ""

    def startDocument(self) -> None:  # noqa: N802
        self._writer.startDocument()

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        write = partial(self._writer.startElement, name, attrs.copy())
        if self._held is not None:
            self._held.append(write)
            return
        write()
        if _local(name) == self.element:
            self._held, self._text = [], ""

    def characters(self, content: str) -> None:
        if self._held is None:
            self._writer.characters(content)
            return
        self._held.append(partial(self._writer.characters, content))
        self._text += content

    def endElement(self, name: str) -> None:  # noqa: N802
        if self._held is not None and _local(name) == self.element:
            for write in self._held if self.is_kept() else ():
                write()
            self._held = None
        if self._held is not None:
            self._held.append(partial(self._writer.endElement, name))
        else:
            self._writer.endElement(name)

    @abstractmethod
    def is_kept(self) -> bool:
        """Whether the element that ends keeps its content."""


class _SharedTexts(_Held):
    """Shared texts, without those that are contact data or stand in emptied cells alone."""

    element = "si"

    def __init__(self, part: io.TextIOWrapper, book: _Workbook) -> None:
        super().__init__(part)
        self._book, self._number = book, -1

    def is_kept(self) -> bool:
        self._number += 1
        number = str(self._number)
        is_contact = number not in self._book.ids and is_contact_value(self._text)
        return number in self._book.kept and not is_contact


class _Sheet(_Held):
    """The rows of a sheet, with the cells of contact data emptied."""

    element = "c"

    def __init__(self, part: io.TextIOWrapper, book: _Workbook) -> None:
        super().__init__(part)
        self._book = book
        self._headings: dict[str, str] = {}
        self._row: dict[str, str] = {}
        self._has_headings = False
        self._column, self._type, self._place = "", "", 0
        self._depth, self._left_out = 0, 0

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        local = _local(name)
        # Links, filters and formulas repeat what stands in cells.
        is_other = self._depth == 1 and local not in {"dimension", "sheetData"}
        if self._left_out or is_other or local == "f":
            self._left_out += 1
            return
        self._depth += 1
        if local == "row":
            self._row, self._place = {}, 0
        elif local == "c" and self._held is None:
            found = _LETTERS.match(attrs.get("r", ""))
            self._place = _number(found[0]) if found else self._place + 1
            self._column, self._type = str(self._place), attrs.get("t", "")
        super().startElement(name, attrs)

    def characters(self, content: str) -> None:
        if not self._left_out:
            super().characters(content)

    def endElement(self, name: str) -> None:  # noqa: N802
        if self._left_out:
            self._left_out -= 1
            return
        self._depth -= 1
        super().endElement(name)
        # A title of one cell may stand above the headings.
        if _local(name) == "row" and not self._has_headings and len(self._row) > 1:
            self._headings, self._has_headings = self._row, True

    def is_kept(self) -> bool:
        heading = self._headings.get(self._column, "")
        number = self._text.strip()
        is_shared = self._type == "s"
        text = self._book.names.get(number, "") if is_shared else self._text
        if number and not self._has_headings:
            self._row[self._column] = text
        if is_contact_name(heading):
            return False
        if is_shared:
            self._book.kept.add(number)
            if is_id_name(heading):
                self._book.ids.add(number)
            return True
        return is_id_name(heading) or not is_contact_value(text)


def _number(letters: str) -> int:
    """The place of a column with these letters: A is 1."""
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - 64
    return place
