"""Languages of widgets: phrases, numbers and dates; all are written from left to right.

`languages.json` has a table per language. Phrases with two forms list the singular first. In French
both forms are equal, since "0 avis" uses the singular.
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
    """Return the languages by primary tag."""
    tables = json.loads(FILE.read_text())
    return {tag: Language(tag, table) for tag, table in tables.items()}


def language(*tags: str) -> "Language":
    """Return the first available language, else English; tags may have a region."""
    known = languages()
    primary = (tag.replace("_", "-").partition("-")[0].lower() for tag in tags)
    return next((known[tag] for tag in primary if tag in known), known[FALLBACK])


class Language:
    """Phrases and formats of one language."""

    def __init__(self, tag: str, table: dict[str, Any]) -> None:
        self.tag = tag
        self.name: str = table["name"]
        self._table = table

    def phrase(self, name: str, **values: str) -> str:
        """Return a phrase with values filled in."""
        text: str = self._table[name]
        return text.format(**values)

    def counted(self, name: str, count: int, **values: str) -> str:
        """Return a phrase with a number, in singular or plural."""
        one, many = self._table[name]
        text: str = one if count == 1 else many
        return text.format(count=self.whole(count), **values)

    def whole(self, number: int) -> str:
        """Format a whole number in groups of three digits."""
        if number < self._table["grouped_from"]:
            return str(number)
        return f"{number:,}".replace(",", self._table["group"])

    def rating(self, rating: float) -> str:
        """Format a mean rating with one or two decimals."""
        text = f"{rating:.2f}"
        return text.removesuffix("0").replace(".", self._table["decimal"])

    def date(self, day: str) -> str:
        """Format a YYYY-MM-DD date with the month's name."""
        date = dt.date.fromisoformat(day)
        month = self._table["months"][date.month - 1]
        return self.phrase("date", day=str(date.day), month=month, year=str(date.year))
