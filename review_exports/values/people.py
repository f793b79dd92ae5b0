"""Names of authors, and contact data of people, which must never be stored."""

import ipaddress
import re
from collections.abc import Iterable
from typing import Any, Final

from review_exports.values import shown
from review_exports.values.texts import clean_text

EMAIL = re.compile(r"[^\s@<>()\[\]\",;:]{1,64}@[^\s@<>()\[\]\",;:]{1,253}\.[^\s@<>()\[\]\",;:.]+")
_PHONE = re.compile(r"\+?\(?[0-9][0-9\s()./-]{5,}[0-9]")
# A separate number among words that is long enough to be dialled.
PHONE_AMONG_WORDS = re.compile(r"(?<![\w+])\+?\(?[0-9](?:[\s()./-]{0,3}[0-9]){6,14}(?!\w)")
_IPV4 = re.compile(r"(?<![0-9.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9.])")


def is_ip_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_phone(text: str) -> bool:
    """Whether a cell holds only a phone number; some dates look like one."""
    return _PHONE.fullmatch(text.strip()) is not None


def is_contact(text: str) -> bool:
    """Whether a cell holds an e-mail or IP address."""
    if "@" in text and EMAIL.search(text):
        return True
    if _IPV4.search(text):
        return True
    text = text.strip()
    return ":" in text and is_ip_address(text)


def public_names(names: Iterable[str]) -> str:
    """Join the first names of columns for a message, without contact data."""
    public = [shown(name) for name in names if name and not (is_contact(name) or is_phone(name))]
    return ", ".join(public[:12])


ANONYMOUS: Final = "Anonymous"
AUTHOR_MAX: Final = 200

_INVISIBLE = " \u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_DIGITS = re.compile("[0-9]{2}")
_ODD_EMAIL = re.compile(r"\S@|@\s*\S+\.\S")


def clean_author(value: Any) -> str:
    """Clean a display name; it is "Anonymous" if nothing but contact data is left."""
    name = clean_text(value, "author")
    if "@" in name:
        name = EMAIL.sub("", name).strip("<>()[]\"',;: ")
        # Remove addresses in unusual spellings, too.
        if _ODD_EMAIL.search(name):
            return ANONYMOUS
    if _DIGITS.search(name):
        name = PHONE_AMONG_WORDS.sub("", name).strip("<>()[]\"',;:|- ")
    name = " ".join(name.split()).strip(_INVISIBLE)
    if not name:
        return ANONYMOUS
    # A quick check before slower ones: few names start with a digit or have a colon.
    if (name[0] in "+(0123456789" or ":" in name) and (is_phone(name) or is_ip_address(name)):
        return ANONYMOUS
    return name[:AUTHOR_MAX].rstrip()
