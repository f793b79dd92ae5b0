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
_TEXT = rb'"(?:[^"\\]++|\\.)*+"'
_MEMBER = re.compile(
    rb'("(?=[^"\\]{0,80}?(?i:mail|phone|fon|foon|tel|mobile|handy|cell|whatsapp|ip))'
    rb'[^"\\]{0,80}"\s*+:\s*+)'
    # A text, a number, a list or an object without further ones inside.
    rb"(" + _TEXT + rb"|-?[0-9][0-9.eE+-]*+"
    rb'|\[(?:[^\[\]"]++|' + _TEXT + rb")*+\]"
    rb'|\{(?:[^{}"]++|' + _TEXT + rb")*+\})",
    re.DOTALL,
)
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
        return _MEMBER.sub(_emptied, content)
    return _without_columns(content)


def _emptied(member: re.Match[bytes]) -> bytes:
    name = member[1].rpartition(b":")[0].strip()[1:-1]
    is_contact = is_contact_name(name.decode(errors="replace"))
    return member[1] + (b"null" if is_contact else _MEMBER.sub(_emptied, member[2]))


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
