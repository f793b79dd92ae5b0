"""Cells of a CSV that a spreadsheet program may open."""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
# How programs keep a spreadsheet from taking a text for a number or a date.
_QUOTED = re.compile(r'="((?:[^"]|"")*)"\s*', re.DOTALL)


def guard_cell(text: str) -> str:
    """The cell for a CSV that a spreadsheet program may open: never taken for a formula."""
    return "'" + text if _FORMULA.match(text) else text


def unguard_cell(text: str) -> str:
    """The cell as it was before a program guarded it.

    Undoes `guard_cell`, and `="5"`, which keeps a spreadsheet from converting it.
    """
    if text[:2] == '="' and (found := _QUOTED.fullmatch(text)):
        return found[1].replace('""', '"')
    return text[1:] if text[:1] == "'" and _FORMULA.match(text, 1) else text
