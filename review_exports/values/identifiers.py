"""Ids of reviews, and slugs of sources."""

import hashlib
import re
from typing import Any, Final

from review_exports.text import compose
from review_exports.values.contacts import EMAIL
from review_exports.values.errors import ValueRefused
from review_exports.values.texts import as_text, unpublishable

EXTERNAL_ID_MAX: Final = 255
SOURCE_MAX: Final = 50

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
# A long number as a spreadsheet shows and saves it: most of its digits are lost.
_ROUNDED = re.compile(r"[0-9](?:[.,][0-9]+)?E\+[0-9]+", re.IGNORECASE)


def slug(name: str) -> str:
    """Lower case; runs of anything but letters and digits of ASCII become one hyphen."""
    return _NOT_SLUG.sub("-", name.lower()).strip("-")[:SOURCE_MAX].rstrip("-")


def clean_external_id(value: Any) -> str:
    """A vendor's id; one too long for the merge key, or with an address in it, as its hash.

    Empty where a spreadsheet has rounded it, so that many reviews would have the same.
    """
    text = as_text(value, "review_id").strip()
    if not text.isprintable() and unpublishable(text):
        raise ValueRefused(
            "review_id",
            "control_character",
            "review_id: the value holds a character that no document may carry. Remove it.",
            text,
        )
    if not text.isascii():
        text = compose(text)
    if len(text) > EXTERNAL_ID_MAX or ("@" in text and EMAIL.search(text)):
        return "sha1:" + _sha1(text)
    return "" if _ROUNDED.fullmatch(text) else text


def synthetic_id(*parts: str) -> str:
    """An id for a review whose file has none: the same parts give the same id in every import."""
    return "sha1:" + _sha1(compose("\n".join(parts)))[:16]


def _sha1(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
