"""ULIDs, the public ids of reviews."""

import re

from ulid import ULID

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32.
ULID_PATTERN = "[0-7][0-9A-HJKMNP-TV-Z]{25}"
_ULID = re.compile(ULID_PATTERN)


def new_ulid() -> str:
    """Generate an id; ids of one process ascend, even within a millisecond."""
    return str(ULID())


def is_ulid(text: str) -> bool:
    return _ULID.fullmatch(text) is not None
