"""Format sizes, durations and callback errors for people (plain Python)."""

import logging
from functools import cache

SIZE_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))
DURATION_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))
LARGE_BYTES = 1_000_000  # Many servers refuse larger bodies by default.


def format_size(size: int) -> str:
    """Format a number of bytes: `512 bytes`, `34 kB`, `8.3 MB`."""
    for unit, name in SIZE_UNITS:
        if size >= unit:
            count = size / unit
            return f"{count:.1f} {name}" if count < 10 else f"{count:,.0f} {name}"
    return f"{size} byte{'' if size == 1 else 's'}"


def format_duration(seconds: float) -> str:
    """Format a duration: `250 ms`, `1.3 s`, `75 s`, `5 min`, `2 h 10 min`."""
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


def describe_status(status: int, *, retry_after_seconds: float = 0.0, size: int = 0) -> str:
    """Describe a response that is not 2xx; `size` is that of the request's body."""
    if 300 <= status <= 399:
        return f"The callback redirected ({status}); redirects are not followed."
    if retry_after_seconds:
        return (
            f"The callback answered {status} and asked for {format_duration(retry_after_seconds)}."
        )
    is_too_large = status == 413 or (status == 400 and size > LARGE_BYTES)
    remedy = (
        f" The delivery has {format_size(size)}, perhaps more than its server takes: "
        f"raise the limit there (nginx: client_max_body_size), or subscribe to a smaller topic."
    )
    return f"The callback answered {status}.{remedy if is_too_large else ''}"


@cache
def log_once(logger: logging.Logger, sentence: str) -> None:
    """Log a persistent error once per process."""
    logger.error(sentence)
