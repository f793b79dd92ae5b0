"""Names of authors."""

import re
from typing import Any, Final

from review_exports.values.contacts import EMAIL, PHONE_AMONG_WORDS, is_ip_address, is_phone
from review_exports.values.texts import clean_text

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
