"""Limits of what is read from one file; a file beyond one is refused with a sentence.

An export of 100,000 reviews reaches a tenth of them. They keep a small file that unpacks or parses
to much from being looked at for minutes; what takes too much memory all the same is the matter of
the process that reads.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from review_exports.records import FileRefused
from review_exports.vocabulary import coded_message

ROWS_MAX = 1_000_000  # Of a table, and items of a list or of JSON Lines.
LINES_MAX = 5_000_000  # Of a text; the cells of a row may have several.
LINE_MAX = 1 << 24  # Characters of one line.
COLUMNS_MAX = 2_000  # Of a table; each that is not known is looked through for wishes for privacy.
NAME_MAX = 10_000  # Characters of a heading, or of the name of a member.
VALUES_MAX = 2_000  # Of one item of JSON, with those of its objects and lists.
CONTAINERS_MAX = 4_000_000  # Objects and lists in all of a JSON file, by their opening marks.
COMMAS_MAX = 20_000_000  # In all of a JSON file, also those of its texts.
PAGE_MAX = 1 << 25  # Characters of a saved page.
# Of a workbook: 100,000 rows of 16 columns have 3.3 million. A row or a shared text is a tree in
# memory until it ends, of 0.8 kB an element.
ELEMENTS_MAX = 3_500_000
ROW_ELEMENTS_MAX = 100_000

T = TypeVar("T")


class LimitExceeded(FileRefused):
    """A file beyond a limit; no other way to read it is tried."""


def limited(items: Iterable[T], most: int = ROWS_MAX, name: str = "rows") -> Iterator[T]:
    """The items; raises `LimitExceeded` beyond so many."""
    for count, item in enumerate(items, start=1):
        if count > most:
            raise too_many(name, most)
        yield item


def check_json(chunks: Iterable[bytes]) -> None:
    """Raise `LimitExceeded` for a JSON text of more parts than reviews need."""
    containers = commas = 0
    for chunk in chunks:
        containers += chunk.count(b"{") + chunk.count(b"[")
        commas += chunk.count(b",")
    if containers > CONTAINERS_MAX:
        raise too_many("objects and lists", CONTAINERS_MAX)
    if commas > COMMAS_MAX:
        raise too_many("commas", COMMAS_MAX)


def check_headings(headings: Sequence[str]) -> None:
    """Raises `LimitExceeded` for too many or too long names of columns."""
    if len(headings) > COLUMNS_MAX:
        raise too_many("columns", COLUMNS_MAX)
    if any(len(heading) > NAME_MAX for heading in headings):
        raise LimitExceeded(*coded_message("refusals", "name_too_long", {"most": NAME_MAX}))


def too_many(things: str, most: int) -> LimitExceeded:
    """The refusal of a file with too many things of a kind."""
    _, message = coded_message("refusals", "too_many", {"most": most, "things": things})
    return LimitExceeded(f"too_many_{things.replace(' ', '_')}", message)
