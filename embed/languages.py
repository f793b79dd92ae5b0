"""The languages of widgets: phrases, numbers and dates; all run from left to right.

`languages.json` has a table for each; of a phrase with two forms the first is for one. French says
"0 avis" as it says "1 avis", and both of its forms are alike.
"""

import datetime as dt
import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "languages.json"
FALLBACK = "en"


@cache
def languages() -> dict[str, "Language"]:
    """The languages by their primary tags."""
    tables = json.loads(FILE.read_text())
    return {tag: Language(tag, table) for tag, table in tables.items()}


def language(*tags: str) -> "Language":
    """The first of these languages that there is, else English; a tag may have a region."""
    known = languages()
    primary = (tag.replace("_", "-").partition("-")[0].lower() for tag in tags)
    return next((known[tag] for tag in primary if tag in known), known[FALLBACK])


class Language:
    """The phrases of one language."""

    def __init__(self, tag: str, table: dict[str, Any]) -> None:
        self.tag = tag
        self.name: str = table["name"]
        self._table = table

    def phrase(self, name: str, **values: str) -> str:
        """A phrase with these values in it."""
        text: str = self._table[name]
        return text.format(**values)

    def counted(self, name: str, count: int, **values: str) -> str:
        """A phrase with a number, in the form that goes with it."""
        one, many = self._table[name]
        text: str = one if count == 1 else many
        return text.format(count=self.whole(count), **values)

    def whole(self, number: int) -> str:
        """A whole number with its groups of three digits."""
        if number < self._table["grouped_from"]:
            return str(number)
        return f"{number:,}".replace(",", self._table["group"])

    def rating(self, rating: float) -> str:
        """A mean of stars with one or two decimals."""
        text = f"{rating:.2f}"
        return text.removesuffix("0").replace(".", self._table["decimal"])

    def date(self, day: str) -> str:
        """A day, given as YYYY-MM-DD, with the name of its month."""
        date = dt.date.fromisoformat(day)
        month = self._table["months"][date.month - 1]
        return self.phrase("date", day=str(date.day), month=month, year=str(date.year))
