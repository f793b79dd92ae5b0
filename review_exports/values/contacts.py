"""Addresses and numbers of people, which must never be stored."""

import ipaddress
import re
from collections.abc import Iterable

from review_exports.values.errors import shown

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
