"""Ids of reviews, and sources in one spelling each."""

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
        raise value_refused("control_character-id", "review_id", text)
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
    """The source as reviews keep it: `GOOGLE` and `google_my_business` are `google`.

    A source that is not known is its own slug; empty where no letter or digit is in the name.
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
