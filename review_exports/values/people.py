"""Names of authors, and addresses and numbers of people, which must never be stored."""

import ipaddress
import re
from collections.abc import Iterable
from typing import Any, Final

from review_exports.values import shown
from review_exports.values.texts import clean_text

EMAIL = re.compile(r"[^\s@<>()\[\]\",;:]{1,64}@[^\s@<>()\[\]\",;:]{1,253}\.[^\s@<>()\[\]\",;:.]+")
_PHONE = re.compile(r"\+?\(?[0-9][0-9\s()./-]{5,}[0-9]")
# A number that stands by itself among words, long enough to be dialled.
PHONE_AMONG_WORDS = re.compile(r"(?<![\w+])\+?\(?[0-9](?:[\s()./-]{0,3}[0-9]){6,14}(?!\w)")
_IPV4 = re.compile(r"(?<![0-9.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9.])")


def is_ip_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_phone(text: str) -> bool:
    """Whether a cell holds nothing but a phone number, as which some dates pass, too."""
    return _PHONE.fullmatch(text.strip()) is not None


def is_contact(text: str) -> bool:
    """Whether a cell holds an e-mail or IP address, which must never be stored."""
    if "@" in text and EMAIL.search(text):
        return True
    if _IPV4.search(text):
        return True
    text = text.strip()
    return ":" in text and is_ip_address(text)


def public_names(names: Iterable[str]) -> str:
    """The first of some headings or members for a message, none of which is anybody's contact."""
    public = [shown(name) for name in names if name and not (is_contact(name) or is_phone(name))]
    return ", ".join(public[:12])


ANONYMOUS: Final = "Anonymous"
AUTHOR_MAX: Final = 200

_INVISIBLE = " \u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_DIGITS = re.compile("[0-9]{2}")
_ODD_EMAIL = re.compile(r"\S@|@\s*\S+\.\S")


def clean_author(value: Any) -> str:
    """A display name with single spaces; "Anonymous" where there is none but a contact address."""
    name = clean_text(value, "author")
    if "@" in name:
        name = EMAIL.sub("", name).strip("<>()[]\"',;: ")
        # What remains of an address in an unusual spelling must not slip through either.
        if _ODD_EMAIL.search(name):
            return ANONYMOUS
    if _DIGITS.search(name):
        name = PHONE_AMONG_WORDS.sub("", name).strip("<>()[]\"',;:|- ")
    name = " ".join(name.split()).strip(_INVISIBLE)
    if not name:
        return ANONYMOUS
    # Both begin with a digit or have a colon, which few names do.
    if (name[0] in "+(0123456789" or ":" in name) and (is_phone(name) or is_ip_address(name)):
        return ANONYMOUS
    return name[:AUTHOR_MAX].rstrip()
