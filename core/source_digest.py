"""Hash our own code and data files, to notice an upgrade without a version number."""

import hashlib
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


@cache
def source_digest(*names: str) -> str:
    """Hash packages and files, named relative to the project's folder."""
    found = hashlib.sha256()
    for name in names:
        place = PROJECT / name
        for file in [place, *sorted(place.rglob("*"))]:
            if file.is_file() and file.suffix != ".pyc":
                found.update(file.read_bytes())
    return found.hexdigest()
