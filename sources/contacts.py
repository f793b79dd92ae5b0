"""Contact data in what a source sends: emptied before anything is stored.

The importer reads no member or column of these names, so that only their values are removed: their
names may tell the format.
"""

import csv
import io
import re

from review_exports.decoding import find_encoding
from review_exports.readers.delimited import Delimited
from review_exports.readers.tables import BrokenRow
from review_exports.records import FileRefused

_CONTACT = re.compile(
    r"(?:.*[^a-z])?"
    r"(?:e[ _-]?mails?|mails?|(?:tele)?phones?|telefon|telefono|telefoon|tel|mobiles?|handy|"
    r"cell|whatsapp|ip)"
    r"(?:[ _-]*(?:address(?:es)?|adresse|number|numbers|nummer|no|nr|v?[46]))?[^a-z]*"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NAME = re.compile(
    rb'"(?=[^"\\]{0,80}?(?i:mail|phone|fon|foon|tel|mobile|handy|cell|whatsapp|ip))'
    rb'([^"\\]{0,80})"\s*+:\s*+'
)
_SCALAR = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|-?[0-9][0-9.eE+-]*+', re.DOTALL)
_SIGN = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BINARY = (b"PK", b"\x1f\x8b", b"\xd0\xcf", b"<")
_HEADINGS = 4096


def is_contact_name(name: str) -> bool:
    """Tell whether a member or column of this name holds an e-mail address, phone number or IP."""
    words = name if name.isupper() else _CAMEL.sub("_", name)
    return _CONTACT.fullmatch(words.strip().casefold()) is not None


def without_contacts(content: bytes) -> bytes:
    """JSON, JSON Lines or CSV with the values of contact data removed; other content as it is."""
    if content.startswith(_UTF16):
        try:
            content = content.decode("utf-16").encode()
        except UnicodeError:
            return content
    start = content[:_HEADINGS].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start or start.startswith(_BINARY):
        return content
    if start[:1] in {b"{", b"["}:
        return _without_members(content)
    return _without_columns(content)


def _without_members(content: bytes) -> bytes:
    """JSON with null for the values of such members, however deep these are nested."""
    kept, at = [], 0
    for name in _NAME.finditer(content):
        if name.start() < at or not is_contact_name(name[1].decode(errors="replace")):
            continue
        kept += [content[at : name.end()], b"null"]
        at = _end_of_value(content, name.end())
        if at == name.end():
            kept.pop()
    return b"".join([*kept, content[at:]])


def _end_of_value(content: bytes, start: int) -> int:
    """The end of a text, number, object or list, which may be cut off; of others the start."""
    if content[start : start + 1] not in {b"[", b"{"}:
        scalar = _SCALAR.match(content, start)
        return scalar.end() if scalar else start
    depth = 0
    for sign in _SIGN.finditer(content, start):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(sign[0], 0)
        if not depth:
            return sign.end()
    return len(content)


def _without_columns(content: bytes) -> bytes:
    """A delimited text with the cells of such columns emptied.

    One that the importer cannot tell apart into rows stays as it is, for the importer to refuse.
    """
    file = io.BytesIO(content)
    try:
        encoding = find_encoding(file)
        rows = list(Delimited(file, encoding, has_headings=False).rows())
    except FileRefused:
        return content
    # A title of one cell may stand above the headings.
    heading, headings = next(
        ((row, cells) for row, cells in rows if sum(map(bool, cells)) > 1), (0, [])
    )
    emptied = [place for place, name in enumerate(headings) if is_contact_name(name)]
    if not emptied or any(isinstance(cells, BrokenRow) for _, cells in rows):
        return content
    text = io.StringIO()
    writer = csv.writer(text)
    written = 0
    for number, cells in rows:
        # Blank rows are numbered too.
        writer.writerows([[]] * (number - written - 1))
        kept = list(cells)
        for place in emptied if number > heading else ():
            if place < len(kept):
                kept[place] = ""
        writer.writerow(kept)
        written = number
    return text.getvalue().encode(encoding.name)
