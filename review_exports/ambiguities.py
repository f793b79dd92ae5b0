"""Ambiguities of dates and stars, settled by a person for the whole file."""

import datetime as dt
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

from review_exports.records import BestRatingUnknown, DateOrderAmbiguous, FileRefused
from review_exports.rows import Rows
from review_exports.values import shown
from review_exports.values.dates import (
    DATE_ORDERS,
    EARLIEST,
    DateOrder,
    Numbers,
    numbers_of,
)
from review_exports.values.ratings import label_agrees, plain_number

_FIRST = {"dmy": "the day", "mdy": "the month", "ymd": "the year"}
_YEARS_BEGIN = 10  # Of two digits, the first ones that are taken for a year in front: 2010.
_MISTYPED_SHARE = 0.1
_MONTHS = 12
_EARLY = 100  # Rows looked at before the first record is asked for.
_SAMPLES = 3
_DATES = ("date", "owner_reply_date")
# Shares of the ratings looked at from which on the scale is asked for.
_ABOVE_SHARE = 0.5
_END_SHARE = 0.1
_ENDS = frozenset({10, 20, 100})


class _Column:
    """Possible readings of the numeric dates of one kind in one column."""

    def __init__(self) -> None:
        self.count = 0
        # The dates that are no day in an order, or one that has not come.
        self.misses = dict.fromkeys(DATE_ORDERS, 0)
        self.examples: dict[DateOrder, str] = {}
        self.samples: list[str] = []
        # Cells that a spreadsheet has taken for dates already, while a day is at most 12.
        self.converted: dt.date | None = None

    def add(self, numbers: Numbers, count: int, value: object, latest: dt.date) -> None:
        """Count dates of the same numbers; `value` is how one is spelt."""
        days = {order: numbers.day(order) for order in DATE_ORDERS}
        possible = {order for order, day in days.items() if day and EARLIEST <= day <= latest}
        if not possible:
            return  # No order makes it a day, so it decides nothing.
        if numbers.last_digits > 1 and numbers.first < _YEARS_BEGIN:
            possible.discard("ymd")
        self.count += count
        for order in DATE_ORDERS:
            if order not in possible:
                self.misses[order] += count
                self.examples.setdefault(order, shown(value))
        is_open = len({days[order] for order in possible}) > 1
        if is_open and len(self.samples) < _SAMPLES:
            self.samples.append(shown(value))

    def orders(self, possible: Sequence[DateOrder]) -> list[DateOrder]:
        """Orders in which most dates are days; one, if that settles it."""
        fewest = min(self.misses[order] for order in possible)
        # A date that is mistyped must not turn all others around.
        if fewest > max(1, _MISTYPED_SHARE * self.count):
            return [order for order in possible if self.misses[order] < self.count]
        return [order for order in possible if self.misses[order] == fewest]


_Kind = tuple[str, bool, bool]  # Field, whether dotted, whether the year has four digits.


class DateOrders:
    """Order of day, month and year in the dates of each column.

    A column as a whole decides: by the order in which its dates are days that have come. Dates with
    dots are decided apart from others, and so are years of two digits.
    """

    def __init__(
        self, rows: Rows, *, answer: DateOrder | None, usual: DateOrder | None, today: dt.date
    ) -> None:
        self._rows = rows
        self._answer = answer
        self._usual = usual  # That of the file's maker.
        self._latest = today + dt.timedelta(days=1)
        self._columns: dict[_Kind, _Column] = {}
        self._found: dict[_Kind, DateOrder] = {}

    def decide_early(self) -> None:
        """Decide what the first rows need, before any record is read.

        Raises `DateOrderAmbiguous`.
        """
        for field in _DATES:
            for date in itertools.islice(self._rows.values(field), _EARLY):
                if numbers := numbers_of(date):
                    self.order(field, numbers)

    def order(self, field: str, numbers: Numbers) -> DateOrder:
        """Order of a date in its column; raises `DateOrderAmbiguous`."""
        kind = _kind(field, numbers)
        if kind not in self._found:
            self._found[kind] = self._decide(kind)
        return self._found[kind]

    def _decide(self, kind: _Kind) -> DateOrder:
        _, is_dotted, has_century = kind
        possible = DATE_ORDERS[:2] if has_century else DATE_ORDERS
        if self._answer in possible:
            return self._answer
        if not self._columns:
            self._look()
        column = self._columns.get(kind) or _Column()
        orders = column.orders(possible)
        if column.converted and len(orders) == 1:
            raise DateOrderAmbiguous(_half_converted(column, orders[0]), orders)
        if len(orders) > 1:
            # The other dates are of the same program.
            shown_there = {
                one[0]
                for (_, other_is_dotted, _), other in self._columns.items()
                if other is not column
                and other_is_dotted == is_dotted
                and len(one := other.orders(orders)) == 1
            }
            orders = [*shown_there] if len(shown_there) == 1 else orders
        if len(orders) == 1:
            return orders[0]
        if self._usual in orders:
            return self._usual
        # Either order gives the same days; or dates with dots have the day first.
        is_usual = not column.samples or (is_dotted and "ymd" not in orders)
        if is_usual and "dmy" in orders and not any(column.misses[order] for order in orders):
            return "dmy"
        raise DateOrderAmbiguous(_ambiguous(column, orders), orders)

    def _look(self) -> None:
        for field in _DATES:
            converted: dt.date | None = None
            is_early = True
            counts = Counter[Numbers]()
            spelt: dict[Numbers, object] = {}
            for date in self._rows.values(field):
                if isinstance(date, dt.date):
                    converted, is_early = date, is_early and date.day <= _MONTHS
                elif numbers := numbers_of(date):
                    counts[numbers] += 1
                    spelt.setdefault(numbers, date)
            for numbers, count in counts.items():
                column = self._columns.setdefault(_kind(field, numbers), _Column())
                column.add(numbers, count, spelt[numbers], self._latest)
            for (other, is_dotted, _), column in self._columns.items():
                is_one_sided = column.misses["dmy"] + column.misses["mdy"] == column.count
                # Spreadsheets that take 04/05/2024 for a date leave 13/05/2024, and both with dots.
                if other == field and is_early and is_one_sided and not is_dotted:
                    column.converted = converted


def _kind(field: str, numbers: Numbers) -> _Kind:
    return field, numbers.is_dotted, numbers.last_digits == 4


def _half_converted(column: _Column, order: DateOrder) -> str:
    example = column.examples["mdy" if order == "dmy" else "dmy"]
    return (
        f"Some dates are texts, like {example}, and others were taken for dates by a spreadsheet, "
        "which may have swapped their day and month: no day among them is above 12, such as "
        f"{column.converted:%-d %B %Y}. If they are wrong, open the original export anew and keep "
        f"its dates as text. If they are right, say that {_FIRST[order]} comes first in the texts."
    )


def _ambiguous(column: _Column, orders: Sequence[DateOrder]) -> str:
    day, month = column.misses["mdy"], column.misses["dmy"]  # Which show that it comes first.
    if day and month:
        many = "As many dates of the file have the day first as have the month"
        some = "Some dates of the file have the day first, others the month"
        return (
            f"{many if day == month else some}: {column.examples['mdy']} and "
            f"{column.examples['dmy']}. Say which it is, once for the whole file."
        )
    *names, last = (_FIRST[order] for order in orders)
    return (
        f"Dates such as {', '.join(column.samples)} can be read with {', '.join(names)} or with "
        f"{last} first, and no date of the file tells which. Say it once for the whole file."
    )


def refuse_stars_above_five(rows: Rows) -> None:
    """Refuse to read nine of ten as a slip, and five of ten as all five stars.

    Raises `BestRatingUnknown`, unless a column says how far the stars count.
    """
    if "_best_rating" in rows.provided_fields():
        return
    early = itertools.islice(rows.values("rating"), _EARLY)
    numbers = [value for value in early if plain_number(value) is not None]
    above = [shown(value) for value in numbers if is_above_five(value)]
    kinds = [*dict.fromkeys(above)]
    share = len(above) / max(len(numbers), 1)
    # Nine for four may be a slip; ten is the end of a scale.
    has_end = any(plain_number(value) in _ENDS for value in numbers)
    if (len(kinds) > 1 and share >= _ABOVE_SHARE) or (has_end and share >= _END_SHARE):
        raise BestRatingUnknown(
            f"Stars such as {', '.join(kinds[:_SAMPLES])} are above 5, and nothing in the file "
            "says how far its stars count. Say it once for the whole file."
        )


def refuse_reversed_scale(rows: Rows) -> None:
    """Refuse a scale that begins with the best, like "1 - Excellent"."""
    early = [*itertools.islice(rows.values("rating"), _EARLY)]
    reversed_ones = [value for value in early if label_agrees(value) is False]
    if len(reversed_ones) > sum(label_agrees(value) is True for value in early):
        raise FileRefused(
            "scale_reversed",
            f"Ratings such as {shown(reversed_ones[0])!r} begin with the best. Turn them around, "
            "so that the best has the most stars, and import the file again.",
        )


def is_above_five(stars: Any) -> bool:
    """Whether stars may be of a scale to ten or a hundred."""
    number = plain_number(stars)
    return number is not None and 5 < number <= 100
