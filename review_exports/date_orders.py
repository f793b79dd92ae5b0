"""Order of day, month and year in the numeric dates of a file."""

import datetime as dt
from collections.abc import Iterable

from review_exports.shapes import Question, question
from review_exports.values import shown, value_refused
from review_exports.values.dates import DATE_ORDERS, EARLIEST, DateOrder, Numbers, numbers_of

_FIRST = {"dmy": "the day", "mdy": "the month", "ymd": "the year"}
_YEARS_BEGIN = 10  # The smallest two-digit year, 2010, that a date may begin with.
_MONTHS = 12
_SAMPLES = 3


class DateOrders:
    """Order of the numbers in the dates of a file, inferred from all of them.

    `answer` is a person's answer for this file, `confirmed` that for earlier files of its shape,
    `usual` the order that the vendor uses. If the order remains unknown, `question` asks for it.
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
        self._contradictions: dict[DateOrder, str] = {}  # Order -> a date that is not valid in it.
        self._samples: list[str] = []  # Dates that are different days in several orders.
        found: dict[Numbers, object] = {}
        for values in dates:
            found |= self._collect(values, is_answered=answer is not None)
        for numbers, value in found.items():
            self._add(numbers, value)
        has_years = any(numbers.last_digits == 4 for numbers in found)
        orders = [one for one in DATE_ORDERS if one != "ymd" or not has_years]
        fitting = [one for one in orders if one not in self._contradictions]
        is_dotted = bool(found) and all(numbers.is_dotted for numbers in found)
        # Dates with dots usually have the day first.
        dotted: DateOrder | None = "dmy" if is_dotted and "ymd" not in fitting else None
        # The order of ambiguous dates, to be confirmed; None if the file has none.
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
        """Return the order of a date; raises `ValueRefused` if it is unknown."""
        if self.chosen:
            return self.chosen
        raise value_refused("date_invalid-order", field)

    def _add(self, numbers: Numbers, value: object) -> None:
        days = {order: numbers.day(order) for order in DATE_ORDERS}
        possible = {order for order, day in days.items() if day and EARLIEST <= day <= self._latest}
        if not possible:
            return  # The date is invalid in every order.
        if numbers.last_digits > 1 and numbers.first < _YEARS_BEGIN:
            possible.discard("ymd")
        for order in DATE_ORDERS:
            if order not in possible:
                self._contradictions.setdefault(order, shown(value))
        if len({days[order] for order in possible}) > 1 and len(self._samples) < _SAMPLES:
            self._samples.append(shown(value))

    def _collect(self, values: Iterable[object], *, is_answered: bool) -> dict[Numbers, object]:
        """Collect the dates of one column whose order is open."""
        texts: dict[Numbers, object] = {}
        converted: dt.date | None = None
        is_early = True
        for date in values:
            if isinstance(date, dt.date):
                converted, is_early = date, is_early and date.day <= _MONTHS
            elif numbers := numbers_of(date):
                texts.setdefault(numbers, date)
        # A spreadsheet that converts 04/05/2024 to a date leaves 13/05/2024 as text.
        late = [one for one in texts if not one.is_dotted and max(one[:2]) > _MONTHS]
        if converted and is_early and late and not is_answered:
            self.question = _half_converted(shown(texts[late[0]]), late[0], converted)
        return texts

    def _ask(
        self, orders: list[DateOrder], fitting: list[DateOrder], confirmed: DateOrder | None
    ) -> Question:
        invalid = self._contradictions
        if confirmed:
            example = invalid.get(confirmed, self._samples[0])
            return _question("-other", DATE_ORDERS, dates=example, first=_FIRST[confirmed])
        if not fitting:
            return _question("-mixed", orders, day=invalid["mdy"], month=invalid["dmy"])
        *names, last = (_FIRST[order] for order in fitting)
        samples, others = ", ".join(self._samples), ", ".join(names)
        return _question("", fitting, dates=samples, orders=others, last=last)


def _half_converted(example: str, numbers: Numbers, converted: dt.date) -> Question:
    order: DateOrder = "dmy" if numbers.first > _MONTHS else "mdy"
    day = f"{converted.day} {converted:%B %Y}"
    return _question("-converted", [order], example=example, day=day, first=_FIRST[order])


def _question(suffix: str, choices: Iterable[DateOrder], **values: str) -> Question:
    key = f"date_order{suffix}"
    return question(key, "date_order", "date_order", choices=(*choices,), **values)
