"""Limits on the size of one file; a file beyond a limit is refused.

An export of 100,000 reviews reaches a tenth of each limit. The limits stop small files that unpack
to huge ones early. Memory is bounded by the process that reads.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from review_exports.records import FileRefused
from review_exports.vocabulary import coded_message

ROWS_MAX = 1_000_000  # Rows of a table, or items of JSON.
LINES_MAX = 5_000_000  # Lines of a text; one row may have several.
LINE_MAX = 1 << 24  # Characters of one line.
COLUMNS_MAX = 2_000  # Columns of a table.
NAME_MAX = 10_000  # Characters of a heading or of a member's name.
VALUES_MAX = 2_000  # Values of one JSON item, nested ones included.
CONTAINERS_MAX = 4_000_000  # Opening braces and brackets in a JSON file.
COMMAS_MAX = 20_000_000  # Commas in a JSON file, those in texts included.
PAGE_MAX = 1 << 25  # Characters of a saved page.
# XML elements of a workbook; 100,000 rows of 16 columns have 3.3 million. A row or a shared string
# is a tree in memory while it is parsed, with 0.8 kB per element.
ELEMENTS_MAX = 3_500_000
ROW_ELEMENTS_MAX = 100_000

T = TypeVar("T")


class LimitExceeded(FileRefused):
    """The file exceeds a limit, so no other way to read it is tried."""


def limited(items: Iterable[T], most: int = ROWS_MAX, name: str = "rows") -> Iterator[T]:
    """Yield the items; raise `LimitExceeded` if there are more than `most`."""
    for count, item in enumerate(items, start=1):
        if count > most:
            raise too_many(name, most)
        yield item


def check_json(chunks: Iterable[bytes]) -> None:
    """Raise `LimitExceeded` for a JSON text with too many containers or commas."""
    containers = commas = 0
    for chunk in chunks:
        containers += chunk.count(b"{") + chunk.count(b"[")
        commas += chunk.count(b",")
    if containers > CONTAINERS_MAX:
        raise too_many("objects and lists", CONTAINERS_MAX)
    if commas > COMMAS_MAX:
        raise too_many("commas", COMMAS_MAX)


def check_headings(headings: Sequence[str]) -> None:
    """Raise `LimitExceeded` for too many headings or one that is too long."""
    if len(headings) > COLUMNS_MAX:
        raise too_many("columns", COLUMNS_MAX)
    if any(len(heading) > NAME_MAX for heading in headings):
        raise LimitExceeded(*coded_message("refusals", "name_too_long", {"most": NAME_MAX}))


def too_many(things: str, most: int) -> LimitExceeded:
    """Build the refusal of a file with too many of some things."""
    _, message = coded_message("refusals", "too_many", {"most": most, "things": things})
    return LimitExceeded(f"too_many_{things.replace(' ', '_')}", message)
