"""A limit for the nesting of JSON, the same on every Python.

Some read so deeply nested values that nothing else can be done with them.
"""

from typing import Any

LEVELS = 100  # No export has a tenth of that.
_CONTAINERS = (dict, list)


def bounded(value: Any) -> Any:
    """The value that JSON held. Raises `RecursionError` when it is nested deeper."""
    level = [value] if isinstance(value, _CONTAINERS) else []
    for _ in range(LEVELS):
        if not level:
            return value
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, _CONTAINERS)
        ]
    raise RecursionError
