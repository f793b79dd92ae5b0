"""Sizes and durations in words."""

SIZE_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))
DURATION_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def format_size(size: int) -> str:
    """A number of bytes with two digits or more: `512 bytes`, `34 kB`, `8.3 MB`."""
    for unit, name in SIZE_UNITS:
        if size >= unit:
            count = size / unit
            return f"{count:.1f} {name}" if count < 10 else f"{count:,.0f} {name}"
    return f"{size} byte{'' if size == 1 else 's'}"


def format_duration(seconds: float) -> str:
    """A duration in at most two units: `250 ms`, `1.3 s`, `75 s`, `5 min`, `2 h 10 min`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    for place, (size, unit) in enumerate(DURATION_UNITS):
        if whole >= 2 * size:
            count, rest = divmod(whole, size)
            if unit == "min" or not (minor := rest // DURATION_UNITS[place + 1][0]):
                return f"{count} {unit}"
            return f"{count} {unit} {minor} {DURATION_UNITS[place + 1][1]}"
    return f"{whole} s"
