"""Order of day, month and year in the numeric dates of a file."""

import datetime as dt
from collections.abc import Iterable

from review_exports.shapes import Question
from review_exports.values import shown, value_refused
from review_exports.values.dates import DATE_ORDERS, EARLIEST, DateOrder, Numbers, numbers_of
from review_exports.vocabulary import coded_message

_FIRST = {"dmy": "the day", "mdy": "the month", "ymd": "the year"}
_YEARS_BEGIN = 10  # Of two digits, the first ones that are taken for a year in front: 2010.
_MONTHS = 12
_SAMPLES = 3

_Kind = tuple[bool, bool]  # Whether dotted, and whether the year has four digits.


class _Dates:
    """The numeric dates of one kind in a file, and the orders in which all of them are days."""

    def __init__(self, kind: _Kind) -> None:
        self.orders: list[DateOrder] = [one for one in DATE_ORDERS if one != "ymd" or not kind[1]]
        self.count = 0
        # A date that is no day in an order, or one that has not come.
        self.misses: dict[DateOrder, str] = {}
        self.samples: list[str] = []

    def add(self, numbers: Numbers, value: object, latest: dt.date) -> None:
        days = {order: numbers.day(order) for order in DATE_ORDERS}
        possible = {order for order, day in days.items() if day and EARLIEST <= day <= latest}
        if not possible:
            return  # No order makes it a day, so it decides nothing.
        if numbers.last_digits > 1 and numbers.first < _YEARS_BEGIN:
            possible.discard("ymd")
        self.count += 1
        for order in DATE_ORDERS:
            if order not in possible:
                self.misses.setdefault(order, shown(value))
        if len({days[order] for order in possible}) > 1 and len(self.samples) < _SAMPLES:
            self.samples.append(shown(value))

    @property
    def fitting(self) -> list[DateOrder]:
        return [order for order in self.orders if order not in self.misses]


class DateOrders:
    """Order of the dates of a file, which all of them together decide.

    `answer` is a person's for this file, `confirmed` that for earlier ones of its shape, `usual`
    that of the file's maker. Dates with dots are decided apart from others, and so are years of two
    digits. Where neither tells, `question` is asked.
    """

    def __init__(
        self,
        dates: Iterable[Iterable[object]],
        *,
        answer: DateOrder | None,
        confirmed: DateOrder | None,
        usual: DateOrder | None,
        today: dt.date,
    ) -> None:
        self._latest = today + dt.timedelta(days=1)
        self.question: Question | None = None
        self._kinds: dict[_Kind, _Dates] = {}
        self._orders: dict[_Kind, DateOrder] = {}
        for values in dates:
            self._look(values, is_answered=answer is not None)
        for kind, found in self._kinds.items():
            orders, fitting = found.orders, found.fitting
            # Dates with dots have the day first in general.
            dotted: DateOrder | None = "dmy" if kind[0] and "ymd" not in fitting else None
            if answer in orders:
                self._orders[kind] = answer
            elif confirmed in orders:
                if confirmed in fitting or not found.samples:
                    self._orders[kind] = confirmed
            elif len(fitting) == 1 or not found.samples:
                self._orders[kind] = (fitting or orders)[0]
            elif one := next((one for one in (usual, dotted) if one in fitting), None):
                self._orders[kind] = one
            if kind not in self._orders:
                self.question = self.question or _question_about(found, confirmed)

    def order(self, field: str, numbers: Numbers) -> DateOrder:
        """Order of a date; raises `ValueRefused` where it is not known."""
        if order := self._orders.get(_kind(numbers)):
            return order
        raise value_refused("date_invalid-order", field)

    @property
    def chosen(self) -> DateOrder | None:
        """The order of ambiguous dates, to be confirmed; None where the file has none."""
        found = (self._orders[kind] for kind in self._kinds if kind in self._orders)
        return next(found, None)

    def _look(self, values: Iterable[object], *, is_answered: bool) -> None:
        """Look at the dates of one column."""
        texts: dict[Numbers, object] = {}
        converted: dt.date | None = None
        is_early = True
        for date in values:
            if isinstance(date, dt.date):
                converted, is_early = date, is_early and date.day <= _MONTHS
            elif numbers := numbers_of(date):
                texts.setdefault(numbers, date)
        for numbers, date in texts.items():
            found = self._kinds.setdefault(_kind(numbers), _Dates(_kind(numbers)))
            found.add(numbers, date, self._latest)
        # Spreadsheets that take 04/05/2024 for a date leave 13/05/2024, and both with dots.
        late = [one for one in texts if not one.is_dotted and max(one[:2]) > _MONTHS]
        if converted and is_early and late and not is_answered:
            self.question = _half_converted(shown(texts[late[0]]), late[0], converted)


def _kind(numbers: Numbers) -> _Kind:
    return numbers.is_dotted, numbers.last_digits == 4


def _half_converted(example: str, numbers: Numbers, converted: dt.date) -> Question:
    order: DateOrder = "dmy" if numbers.first > _MONTHS else "mdy"
    day = f"{converted:%-d %B %Y}"
    return _question("date_order-converted", [order], example=example, day=day, first=_FIRST[order])


def _question_about(dates: _Dates, confirmed: DateOrder | None) -> Question:
    misses, fitting = dates.misses, dates.fitting
    if confirmed:
        example = misses.get(confirmed, dates.samples[0])
        return _question("date_order-other", DATE_ORDERS, dates=example, first=_FIRST[confirmed])
    if not fitting:
        examples = {"day": misses["mdy"], "month": misses["dmy"]}
        return _question("date_order-mixed", dates.orders, **examples)
    *names, last = (_FIRST[order] for order in fitting)
    samples = ", ".join(dates.samples)
    return _question("date_order", fitting, dates=samples, others=", ".join(names), last=last)


def _question(key: str, choices: Iterable[DateOrder], **values: str) -> Question:
    _, message = coded_message("questions", key, values)
    return Question(kind="date_order", message=message, option="date_order", choices=(*choices,))
