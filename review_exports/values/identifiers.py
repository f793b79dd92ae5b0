"""Ids of reviews, and canonical spellings of sources."""

import hashlib
import re
from functools import lru_cache
from typing import Any, Final

from review_exports.values import value_refused
from review_exports.values.characters import compose
from review_exports.values.people import EMAIL
from review_exports.values.texts import as_text, unpublishable
from review_exports.vocabulary import load

EXTERNAL_ID_MAX: Final = 255
SOURCE_MAX: Final = 50

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
# A long number that a spreadsheet has rounded.
_ROUNDED = re.compile(r"[0-9](?:[.,][0-9]+)?E\+[0-9]+", re.IGNORECASE)


def slug(name: str) -> str:
    """Lower-case a name, and replace all but ASCII letters and digits by hyphens."""
    return _NOT_SLUG.sub("-", name.lower()).strip("-")[:SOURCE_MAX].rstrip("-")


def clean_external_id(value: Any) -> str:
    """Normalise a vendor's id; hash one that is too long or holds an e-mail address.

    The result is empty for a number that a spreadsheet has rounded, since it is not unique.
    """
    text = as_text(value, "review_id").strip()
    if not text.isprintable() and unpublishable(text):
        raise value_refused("control_character-id", "review_id", text)
    if not text.isascii():
        text = compose(text)
    if len(text) > EXTERNAL_ID_MAX or ("@" in text and EMAIL.search(text)):
        return "sha1:" + _sha1(text)
    return "" if _ROUNDED.fullmatch(text) else text


def synthetic_id(*parts: str) -> str:
    """Make an id from the content of a review; the same parts always give the same id."""
    return "sha1:" + _sha1(compose("\n".join(parts)))[:16]


def _sha1(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


_VOCABULARY: Final = load("vocabulary/sources.toml")
_SPELLINGS: Final[dict[str, str]] = _VOCABULARY["spellings"]
KNOWN_SOURCES: Final = tuple(_SPELLINGS)
_SOURCES: Final[dict[str, str]] = {name: name for name in _VOCABULARY["names"]["known"].split()} | {
    spelling: source
    for source, spellings in _SPELLINGS.items()
    for spelling in (source.replace("-", ""), *spellings.split())
}
_HOSTS: Final = _VOCABULARY["names"]["host_endings"].split()


@lru_cache(maxsize=4096)
def source_slug(name: str) -> str:
    """Return the canonical slug of a source: `google` for `GOOGLE` and `google_my_business`.

    An unknown source becomes its own slug, which is empty without ASCII letters and digits.
    """
    plain = slug(name)
    letters = plain.replace("-", "")
    if source := _SOURCES.get(letters):
        return source
    host = letters.removeprefix("https").removeprefix("http").removeprefix("www")
    for ending in _HOSTS:
        if source := _SOURCES.get(host.removesuffix(ending)):
            return source
    return plain
