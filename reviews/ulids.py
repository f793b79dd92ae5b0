"""ULIDs, the public ids of reviews."""

import itertools
import re
from collections.abc import Iterator

from ulid import ULID

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32.
ULID_PATTERN = "[0-7][0-9A-HJKMNP-TV-Z]{25}"
_ULID = re.compile(ULID_PATTERN)


def is_ulid(text: str) -> bool:
    return _ULID.fullmatch(text) is not None


def monotonic_ulids() -> Iterator[str]:
    """ULIDs that rise by one from a random start, as the specification has it for one moment."""
    for number in itertools.count(int(ULID())):
        yield str(ULID.from_int(number))
