"""Pure: tell a technician's name from the words and the strangers that look like it."""

from collections.abc import Sequence


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the capitalised name at `text[start:end]` means a technician with that surname."""
    following = text[end : end + 1]
    return bool(surname) or not following.isdecimal() or start > end
