"""Pure: yes and no."""

from typing import Any

_YES = frozenset(
    {
        *("true", "yes", "y", "1", "1.0", "verified", "ja", "wahr", "oui", "si", "sí", "x"),
        *("buyer", "verified buyer", "verified_buyer", "verified purchase", "confirmed-buyer"),
    }
)
_NO = frozenset(
    {
        *("false", "no", "n", "0", "0.0", "unverified", "not verified", "nein", "falsch", "non"),
        "nothing",  # Judge.me's word.
    }
)


def read_flag(value: Any) -> bool | None:
    """Yes or no; None where the file does not say."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().casefold() if isinstance(value, str | int | float) else ""
    return True if text in _YES else False if text in _NO else None
