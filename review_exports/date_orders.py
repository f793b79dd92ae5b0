"""Order of day, month and year in the numeric dates of a file."""

import datetime as dt
from collections.abc import Iterable

from review_exports.shapes import Question, question
from review_exports.values import shown, value_refused
from review_exports.values.dates import DATE_ORDERS, EARLIEST, DateOrder, Numbers, numbers_of

_FIRST = {"dmy": "the day", "mdy": "the month", "ymd": "the year"}
_YEARS_BEGIN = 10  # Of two digits, the first ones that are taken for a year in front: 2010.
_MONTHS = 12
_SAMPLES = 3


class DateOrders:
    """Order of the dates of a file, which all of them together decide.

    `answer` is a person's for this file, `confirmed` that for earlier ones of its shape, `usual`
    that of the file's maker. Where none of them and no date tells, `question` is asked.
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
        self.question: Question | None = None
        self._latest = today + dt.timedelta(days=1)
        self._misses: dict[DateOrder, str] = {}  # A date that is no day in an order, or to come.
        self._samples: list[str] = []  # Dates that are different days in several orders.
        found: dict[Numbers, object] = {}
        for values in dates:
            found |= self._look(values, is_answered=answer is not None)
        for numbers, value in found.items():
            self._add(numbers, value)
        has_years = any(numbers.last_digits == 4 for numbers in found)
        orders = [one for one in DATE_ORDERS if one != "ymd" or not has_years]
        fitting = [one for one in orders if one not in self._misses]
        is_dotted = bool(found) and all(numbers.is_dotted for numbers in found)
        # Dates with dots have the day first in general.
        dotted: DateOrder | None = "dmy" if is_dotted and "ymd" not in fitting else None
        # The order of ambiguous dates, to be confirmed; None where the file has none.
        self.chosen: DateOrder | None = None
        if not found:
            return
        if answer in orders:
            self.chosen = answer
        elif confirmed in orders:
            self.chosen = confirmed if confirmed in fitting or not self._samples else None
        elif len(fitting) == 1 or not self._samples:
            self.chosen = (fitting or orders)[0]
        else:
            self.chosen = next((one for one in (usual, dotted) if one in fitting), None)
        if self.chosen is None:
            self.question = self.question or self._ask(orders, fitting, confirmed)

    def order(self, field: str, numbers: Numbers) -> DateOrder:
        """Order of a date; raises `ValueRefused` where it is not known."""
        if self.chosen:
            return self.chosen
        raise value_refused("date_invalid-order", field)

    def _add(self, numbers: Numbers, value: object) -> None:
        days = {order: numbers.day(order) for order in DATE_ORDERS}
        possible = {order for order, day in days.items() if day and EARLIEST <= day <= self._latest}
        if not possible:
            return  # No order makes it a day, so it decides nothing.
        if numbers.last_digits > 1 and numbers.first < _YEARS_BEGIN:
            possible.discard("ymd")
        for order in DATE_ORDERS:
            if order not in possible:
                self._misses.setdefault(order, shown(value))
        if len({days[order] for order in possible}) > 1 and len(self._samples) < _SAMPLES:
            self._samples.append(shown(value))

    def _look(self, values: Iterable[object], *, is_answered: bool) -> dict[Numbers, object]:
        """The dates of one column of which the order is open."""
        texts: dict[Numbers, object] = {}
        converted: dt.date | None = None
        is_early = True
        for date in values:
            if isinstance(date, dt.date):
                converted, is_early = date, is_early and date.day <= _MONTHS
            elif numbers := numbers_of(date):
                texts.setdefault(numbers, date)
        # Spreadsheets that take 04/05/2024 for a date leave 13/05/2024, and both with dots.
        late = [one for one in texts if not one.is_dotted and max(one[:2]) > _MONTHS]
        if converted and is_early and late and not is_answered:
            self.question = _half_converted(shown(texts[late[0]]), late[0], converted)
        return texts

    def _ask(
        self, orders: list[DateOrder], fitting: list[DateOrder], confirmed: DateOrder | None
    ) -> Question:
        misses = self._misses
        if confirmed:
            example = misses.get(confirmed, self._samples[0])
            return _question("-other", DATE_ORDERS, dates=example, first=_FIRST[confirmed])
        if not fitting:
            return _question("-mixed", orders, day=misses["mdy"], month=misses["dmy"])
        *names, last = (_FIRST[order] for order in fitting)
        samples, others = ", ".join(self._samples), ", ".join(names)
        return _question("", fitting, dates=samples, orders=others, last=last)


def _half_converted(example: str, numbers: Numbers, converted: dt.date) -> Question:
    order: DateOrder = "dmy" if numbers.first > _MONTHS else "mdy"
    day = f"{converted:%-d %B %Y}"
    return _question("-converted", [order], example=example, day=day, first=_FIRST[order])


def _question(suffix: str, choices: Iterable[DateOrder], **values: str) -> Question:
    key = f"date_order{suffix}"
    return question(key, "date_order", "date_order", choices=(*choices,), **values)
