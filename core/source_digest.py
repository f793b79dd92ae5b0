"""A hash of our own code and data files, so that an upgrade is noticed without a version number."""

import hashlib
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


@cache
def source_digest(*names: str) -> str:
    """Of the packages and files of these names, relative to the project's folder."""
    found = hashlib.sha256()
    for name in names:
        place = PROJECT / name
        for file in [place, *sorted(place.rglob("*"))]:
            if file.is_file() and file.suffix != ".pyc":
                found.update(file.read_bytes())
    return found.hexdigest()
