"""Order of day, month and year in the numeric dates of a file."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping

from review_exports.shapes import Question
from review_exports.values import ValueRefused, shown
from review_exports.values.dates import DATE_ORDERS, EARLIEST, DateOrder, Numbers, numbers_of

_FIRST = {"dmy": "the day", "mdy": "the month", "ymd": "the year"}
_YEARS_BEGIN = 10  # Of two digits, the first ones that are taken for a year in front: 2010.
_MISTYPED_SHARE = 0.1
_MONTHS = 12
_SAMPLES = 3

_Kind = tuple[str, bool, bool]  # Field, whether dotted, whether the year has four digits.


class _Column:
    """Possible readings of the numeric dates of one kind in one column."""

    def __init__(self) -> None:
        self.count = 0
        # The dates that are no day in an order, or one that has not come.
        self.misses = dict.fromkeys(DATE_ORDERS, 0)
        self.examples: dict[DateOrder, str] = {}
        self.samples: list[str] = []

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
        if len({days[order] for order in possible}) > 1 and len(self.samples) < _SAMPLES:
            self.samples.append(shown(value))

    def orders(self, possible: Iterable[DateOrder]) -> list[DateOrder]:
        """Orders in which most dates are days; one, if that decides."""
        fewest = min(self.misses[order] for order in possible)
        # A date that is mistyped must not turn all others around.
        if fewest > max(1, _MISTYPED_SHARE * self.count):
            return [order for order in possible if self.misses[order] < self.count]
        return [order for order in possible if self.misses[order] == fewest]


class DateOrders:
    """Order of the dates in each column, which a column as a whole decides.

    `answer` is a person's for this file, `confirmed` that for earlier ones of its shape, `usual`
    that of the file's maker. Dates with dots are decided apart from others, and so are years of two
    digits. Where neither tells, `question` is asked.
    """

    def __init__(
        self,
        dates: Mapping[str, Iterable[object]],
        *,
        answer: DateOrder | None,
        confirmed: DateOrder | None,
        usual: DateOrder | None,
        today: dt.date,
    ) -> None:
        self._latest = today + dt.timedelta(days=1)
        self.question: Question | None = None
        self._columns: dict[_Kind, _Column] = {}
        self._orders: dict[_Kind, DateOrder] = {}
        for field, values in dates.items():
            self._look(field, values)
        for kind, column in self._columns.items():
            possible = [order for order in DATE_ORDERS if order != "ymd" or not kind[2]]
            if answer in possible:
                self._orders[kind] = answer
                continue
            orders = self._possible(kind, column, possible)
            if confirmed in orders or (confirmed in possible and not column.samples):
                self._orders[kind] = confirmed
            elif confirmed not in possible and len(orders) == 1:
                self._orders[kind] = orders[0]
            elif confirmed not in possible and usual in orders:
                self._orders[kind] = usual
            elif not column.samples or (confirmed is None and self._is_usual(kind, column, orders)):
                self._orders[kind] = orders[0] if "dmy" not in orders else "dmy"
            else:
                self.question = self.question or _question(column, orders, confirmed)

    def order(self, field: str, numbers: Numbers) -> DateOrder:
        """Order of a date in its column; raises `ValueRefused` where it is not known."""
        if order := self._orders.get(_kind(field, numbers)):
            return order
        raise ValueRefused(
            field,
            "date_invalid",
            f"{field}: nothing tells which of these numbers is the day. Write it like 2025-01-31.",
        )

    @property
    def chosen(self) -> DateOrder | None:
        """The order of ambiguous dates, to be confirmed; None where the file has none."""
        found = (
            self._orders[kind]
            for kind, one in self._columns.items()
            if one.count and kind in self._orders
        )
        return next(found, None)

    def _look(self, field: str, values: Iterable[object]) -> None:
        counts = Counter[Numbers]()
        spelt: dict[Numbers, object] = {}
        converted: dt.date | None = None
        is_early = True
        for date in values:
            if isinstance(date, dt.date):
                converted, is_early = date, is_early and date.day <= _MONTHS
            elif numbers := numbers_of(date):
                counts[numbers] += 1
                spelt.setdefault(numbers, date)
        for numbers, count in counts.items():
            column = self._columns.setdefault(_kind(field, numbers), _Column())
            column.add(numbers, count, spelt[numbers], self._latest)
        for (other, is_dotted, _), column in self._columns.items():
            # Spreadsheets that take 04/05/2024 for a date leave 13/05/2024, and both with dots.
            is_one_sided = column.misses["dmy"] + column.misses["mdy"] == column.count
            if other == field and converted and is_early and is_one_sided and not is_dotted:
                orders = column.orders(DATE_ORDERS[:2])
                self.question = Question(
                    kind="date_order",
                    message=_half_converted(column, orders[0], converted),
                    option="date_order",
                    choices=tuple(orders),
                )

    def _possible(
        self, kind: _Kind, column: _Column, possible: Iterable[DateOrder]
    ) -> list[DateOrder]:
        orders = column.orders(possible)
        if len(orders) > 1:  # The other dates are of the same program.
            agreed = {
                one[0]
                for (_, is_dotted, _), other in self._columns.items()
                if other is not column
                and is_dotted == kind[1]
                and len(one := other.orders(orders)) == 1
            }
            orders = [*agreed] if len(agreed) == 1 else orders
        return orders

    def _is_usual(self, kind: _Kind, column: _Column, orders: list[DateOrder]) -> bool:
        """Whether dates with dots have the day first, as they do in general."""
        is_sure = not any(column.misses[order] for order in orders)
        return kind[1] and "ymd" not in orders and "dmy" in orders and is_sure


def _kind(field: str, numbers: Numbers) -> _Kind:
    return field, numbers.is_dotted, numbers.last_digits == 4


def _half_converted(column: _Column, order: DateOrder, converted: dt.date) -> str:
    example = column.examples["mdy" if order == "dmy" else "dmy"]
    return (
        f"Some dates are texts, like {example}, and others were taken for dates by a spreadsheet, "
        "which may have swapped their day and month: no day among them is above 12, such as "
        f"{converted:%-d %B %Y}. If they are wrong, open the original export again and keep its "
        f"dates as text. If they are right, say that {_FIRST[order]} comes first in the texts."
    )


def _question(column: _Column, orders: list[DateOrder], confirmed: DateOrder | None) -> Question:
    day, month = column.misses["mdy"], column.misses["dmy"]  # Which show that it comes first.
    if confirmed:
        message = (
            f"Dates such as {column.examples.get(confirmed, column.samples[0])} do not have "
            f"{_FIRST[confirmed]} first, as in earlier files of this kind."
        )
        orders = [*DATE_ORDERS]
    elif day and month:
        some = "Some dates of the file have the day first, others the month"
        message = f"{some}: {column.examples['mdy']} and {column.examples['dmy']}."
    else:
        *names, last = (_FIRST[order] for order in orders)
        message = (
            f"Dates such as {', '.join(column.samples)} can be read with {', '.join(names)} or "
            f"with {last} first, and no date of the file tells which."
        )
    return Question(kind="date_order", message=message, option="date_order", choices=tuple(orders))
