"""The place of a review: its day, its key and its stars in one number, which sorts by day.

A list of matches is then a list of numbers: a range of days is a range of places, and neither days
nor stars have to be looked up. Within a day places do not sort by ULID, as reviews do.
"""

import datetime as dt
from collections.abc import Iterable
from typing import Any, TypeVar

from reviews.search.fields import Position

STARS_BITS, KEY_BITS = 3, 38  # The 22 bits above hold every day up to 9999-12-31.
DAY_SHIFT = STARS_BITS + KEY_BITS
STARS_MASK, KEY_MASK = (1 << STARS_BITS) - 1, (1 << KEY_BITS) - 1

# The same in SQL, of a review `r`.
ON_SQLITE = (
    f"(CAST(julianday(r.date) - 1721424.5 AS INTEGER) << {DAY_SHIFT})"
    f" | (r.id << {STARS_BITS}) | r.rating"
)
ON_POSTGRESQL = (
    f"((r.date - DATE '0001-01-01' + 1)::bigint << {DAY_SHIFT}) | (r.id << {STARS_BITS}) | r.rating"
)

Row = TypeVar("Row", bound=tuple[Any, ...])


def start_of(day: dt.date) -> int:
    """Less than the place of every review of this day, and more than those of all days before."""
    return day.toordinal() << DAY_SHIFT


def end_of(day: dt.date) -> int:
    """More than the place of every review of this day, and less than those of all days after."""
    return (day.toordinal() + 1) << DAY_SHIFT


def key_of(place: int) -> int:
    return place >> STARS_BITS & KEY_MASK


def stars_of(place: int) -> int:
    return place & STARS_MASK


def page_among(in_order: Iterable[Row], after: Position | None, size: int) -> list[Row]:
    """Of rows that begin with a place, those that hold the first `size` which follow the position.

    They come by day, in either order. The days on which the page begins and ends are whole, for
    their order is that of the ULIDs. No more rows are taken than it needs.
    """
    begun = after.date.toordinal() if after else None
    rows: list[Row] = []
    last_day = None
    for row in in_order:
        day = row[0] >> DAY_SHIFT
        if size <= 0 and day != last_day:
            break
        rows.append(row)
        if day != begun:
            size -= 1
            last_day = day
    return rows
