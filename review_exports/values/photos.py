"""Addresses of the photos of a review."""

import re
from collections.abc import Iterator
from typing import Any, Final

from review_exports.values import ValueRefused
from review_exports.values.web_addresses import clean_url

PHOTOS_MAX: Final = 10
_CELL_MAX = 20_000  # Characters that are read of a cell with several addresses.
# Addresses may hold commas themselves.
_BETWEEN = re.compile(r"[\s|;]+|,\s*(?=https?:)")
# Members of a photo with its address, the largest size first.
_MEMBERS = ("googleUrl", "original", "large", "image_url", "imageUrl", "url", "src", "thumbnailUrl")


def read_photos(value: Any) -> tuple[tuple[str, ...], int]:
    """Return the first ten https addresses of a cell or list, and the number of unusable ones."""
    photos: dict[str, None] = {}
    unusable = 0
    for entry in _entries(value):
        try:
            address = clean_url(entry, "photos")
        except ValueRefused:
            address = ""
        if address.startswith("https://"):
            photos[address] = None
        else:
            unusable += 1
    return tuple(photos)[:PHOTOS_MAX], unusable


def _entries(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from filter(None, _BETWEEN.split(value[:_CELL_MAX].strip().strip("[]")))
    elif isinstance(value, list):
        for entry in value[: 2 * PHOTOS_MAX]:
            members = entry if isinstance(entry, dict) else {"url": entry}
            address = next((members[name] for name in _MEMBERS if members.get(name)), None)
            if isinstance(address, str) and address.strip():
                yield address.strip()
