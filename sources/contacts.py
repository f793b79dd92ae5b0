"""Contact data in what a source sends: emptied before anything is stored.

The importer reads no member or column of these names, so that only their values are removed: their
names may tell the format. A value that is an e-mail address, IP address or phone number as a whole
is removed under any name but that of an id, by which a review is known again.
"""

import csv
import io
import re

from review_exports.decoding import find_encoding
from review_exports.readers.delimited import Delimited
from review_exports.readers.tables import BrokenRow
from review_exports.records import FileRefused
from review_exports.values.people import EMAIL, is_ip_address

_CONTACT = re.compile(
    r"(?:.*[^a-z])?"
    r"(?:e[ _-]?mails?|mails?|(?:tele)?phones?|telefon|telefono|telefoon|tel|mobiles?|handy|"
    r"cell|whatsapp|ip)"
    r"(?:[ _-]*(?:address(?:es)?|adresse|number|numbers|nummer|no|nr|v?[46]))?[^a-z]*"
)
_ID = re.compile(r"(?:.*[^A-Za-z])?i[dD]|.*[a-z]I[dD]|ID|.*_ID")
_VALUE = re.compile(
    rf"{EMAIL.pattern}|[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}|[0-9A-Fa-f]{{0,4}}(?::[0-9A-Fa-f.]{{0,15}}){{2,8}}"
    # Without a plus sign or brackets an id or a day looks the same.
    r"|(?:\+|\([0-9+])[0-9\s()./-]{6,22}[0-9]"
)
_TEXT = re.compile(rb'"((?:[^"\\\n]++|\\.)*+)"?+(\s*+:)?+')
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
_VALUE_MAX = 320


def is_contact_name(name: str) -> bool:
    """Whether a member or column holds an e-mail address, phone number or IP."""
    words = name if name.isupper() else _CAMEL.sub("_", name)
    return _CONTACT.fullmatch(words.strip().casefold()) is not None


def is_id_name(name: str) -> bool:
    """Tell whether a member or column of this name holds an id."""
    return _ID.fullmatch(name.strip()) is not None


def is_contact_value(text: str) -> bool:
    """Tell whether a text is nothing but an e-mail address, IP address or phone number."""
    text = text.strip().removeprefix("mailto:").removeprefix("tel:")
    if not _VALUE.fullmatch(text):
        return False
    return "@" in text or text[0] in "+(" or is_ip_address(text)


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
        return _without_values(_without_members(content))
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


def _without_values(content: bytes) -> bytes:
    """JSON with null for texts that are contact data, whatever the name of their member."""
    kept, at, name = [], 0, b""
    for text in _TEXT.finditer(content):
        if text[2]:
            name = text[1]
        elif (
            len(text[1]) <= _VALUE_MAX
            and is_contact_value(text[1].decode(errors="replace"))
            and not is_id_name(name.decode(errors="replace"))
        ):
            kept += [content[at : text.start()], b"null"]
            at = text.end()
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
    """A delimited text with such cells emptied.

    One that the importer cannot tell apart into rows stays as it is, for the importer to refuse.
    """
    file = io.BytesIO(content)
    try:
        encoding = find_encoding(file)
        rows = list(Delimited(file, encoding, has_headings=False).rows())
    except FileRefused:
        return content
    if any(isinstance(cells, BrokenRow) for _, cells in rows):
        return content
    # A title of one cell may stand above the headings.
    heading, headings = next(
        ((row, cells) for row, cells in rows if sum(map(bool, cells)) > 1), (0, [])
    )
    emptied = {place for place, name in enumerate(headings) if is_contact_name(name)}
    ids = {place for place, name in enumerate(headings) if is_id_name(name)}
    text = io.StringIO()
    writer = csv.writer(text)
    written, is_changed = 0, False
    for number, cells in rows:
        # Blank rows are numbered too.
        writer.writerows([[]] * (number - written - 1))
        kept = [
            ""
            if (place in emptied and number > heading)
            or (place not in ids and is_contact_value(cell))
            else cell
            for place, cell in enumerate(cells)
        ]
        is_changed = is_changed or kept != list(cells)
        writer.writerow(kept)
        written = number
    return text.getvalue().encode(encoding.name) if is_changed else content
