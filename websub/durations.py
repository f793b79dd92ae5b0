"""Pure: spans of time as people say them."""

UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def format_duration(seconds: float) -> str:
    """`250 ms`, `1.3 s`, `75 s`, `5 min`, `2 h 10 min`, `9 d 23 h`: two units at most."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    for place, (size, unit) in enumerate(UNITS):
        if whole >= 2 * size:
            count, rest = divmod(whole, size)
            if unit == "min" or not (minor := rest // UNITS[place + 1][0]):
                return f"{count} {unit}"
            return f"{count} {unit} {minor} {UNITS[place + 1][1]}"
    return f"{whole} s"
