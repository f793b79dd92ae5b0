"""Sizes in bytes, and how people say them."""

UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))


def say(size: int) -> str:
    """`512 bytes`, `34 kB`, `8.3 MB`: two digits or more."""
    for unit, name in UNITS:
        if size >= unit:
            count = size / unit
            return f"{count:.1f} {name}" if count < 10 else f"{count:,.0f} {name}"
    return f"{size} byte{'' if size == 1 else 's'}"
