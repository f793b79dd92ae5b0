"""Cache of values that are parsed from header fields."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

# Both bounds keep a hostile client from filling the memory; a server takes fields of 400 kB.
MAX_CACHED = 512
LONGEST = 1_000

More = TypeVarTuple("More")
Said = TypeVar("Said")


def cached_by_header(read: Callable[[str, *More], Said]) -> Callable[[str, *More], Said]:
    """`read` with a memory for the fields that were read last; a long one is read every time."""
    known = lru_cache(maxsize=MAX_CACHED)(read)

    @wraps(read)
    def cached_value(field: str, *more: *More) -> Said:
        return (known if len(field) <= LONGEST else read)(field, *more)

    return cached_value
