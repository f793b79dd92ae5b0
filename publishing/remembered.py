"""Pure: what a header field was found to say, remembered, since clients send few different ones."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

# Both bounds keep a hostile client from filling the memory; a server takes fields of 400 kB.
REMEMBERED = 512
LONGEST = 1_000

P = ParamSpec("P")
R = TypeVar("R")


def remembered(read: Callable[Concatenate[str, P], R]) -> Callable[Concatenate[str, P], R]:
    """`read` with a memory for the fields that were read last; a long one is read every time."""
    known = lru_cache(maxsize=REMEMBERED)(read)

    @wraps(read)
    def recalled(field: str, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return (known if len(field) <= LONGEST else read)(field, *args, **kwargs)

    return recalled
