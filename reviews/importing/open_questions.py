"""Pure: what a file may leave open for a person to say: what its dates and its stars mean."""

import itertools
from collections import Counter
from typing import Any

from reviews.importing.formats.base import Format
from reviews.importing.records import BestRatingUnknown, DateOrderAmbiguous
from reviews.importing.rows import Rows
from reviews.importing.values.dates import DateOrder, slash_order
from reviews.importing.values.ratings import plain_number
from reviews.importing.values.refusals import shown

_EARLY = 100  # Rows looked at before the first record is asked for.
_SAMPLES = 3
_DATES = ("date", "owner_reply_date")
_ABOVE_SHARE = 0.5  # Of the numbers looked at, if they are to make one ask how far stars count.


def has_slashes_early(rows: Rows) -> bool:
    """Whether one of the first dates is such that the order of day and month matters."""
    return any(map(slash_order, itertools.islice(rows.values(*_DATES), _EARLY)))


def order_of_dates(rows: Rows, format_: Format) -> DateOrder:
    """Which comes first in dates with slashes: as the file shows, or as its maker writes them.

    Raises `DateOrderAmbiguous`.
    """
    samples: dict[str, list[str]] = {"dmy": [], "mdy": [], "ambiguous": [], "either": []}
    counts = Counter[str]()
    for date in rows.values(*_DATES):
        if order := slash_order(date):
            counts[order] += 1
            if len(samples[order]) < _SAMPLES and shown(date) not in samples[order]:
                samples[order].append(shown(date))
    # What most dates show: one that is mistyped must not turn all others around.
    if counts["dmy"] != counts["mdy"]:
        return "dmy" if counts["dmy"] > counts["mdy"] else "mdy"
    if format_.date_order is not None or not (counts["dmy"] or counts["ambiguous"]):
        return format_.date_order or "dmy"
    if counts["dmy"]:
        raise DateOrderAmbiguous(
            "As many dates of the file have the day first as have the month: "
            f"{samples['dmy'][0]} and {samples['mdy'][0]}. Say which it is, once for the whole "
            "file."
        )
    raise DateOrderAmbiguous(
        f"Dates such as {', '.join(samples['ambiguous'])} can be read with the day or with the "
        "month first, and no date of the file tells which. Say it once for the whole file."
    )


def refuse_stars_above_five(rows: Rows) -> None:
    """Refuse to read nine of ten as a slip, and five of ten as all five stars.

    Raises `BestRatingUnknown`, unless a column says how far the stars count.
    """
    if "_best_rating" in rows.carried():
        return
    early = itertools.islice(rows.values("rating"), _EARLY)
    numbers = [value for value in early if plain_number(value) is not None]
    above = [shown(value) for value in numbers if is_above_five(value)]
    kinds = [*dict.fromkeys(above)]
    if len(kinds) > 1 and len(above) >= _ABOVE_SHARE * len(numbers):
        raise BestRatingUnknown(
            f"Stars such as {', '.join(kinds[:_SAMPLES])} are above 5, and nothing in the file "
            "says how far its stars count. Say it once for the whole file."
        )


def is_above_five(stars: Any) -> bool:
    """Whether stars may be of a scale to ten or a hundred."""
    number = plain_number(stars)
    return number is not None and 5 < number <= 100
