"""Calendar days in the spellings of all sites and languages."""
# ruff: noqa: RUF001  (Letters of several scripts look alike.)

import contextlib
import datetime as dt
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from review_exports.values import ValueRefused
from review_exports.values.characters import half_width, without_invisible
from review_exports.vocabulary import load

DateOrder = Literal["dmy", "mdy", "ymd"]
DATE_ORDERS: Final[tuple[DateOrder, ...]] = ("dmy", "mdy", "ymd")

# A year before that is a slip, as when 25 was typed for 2025.
EARLIEST: Final = dt.date(1900, 1, 1)
# The day 0 of programs, which stands for no day at all, in UTC and west of it.
_NO_DAYS: Final = frozenset({dt.date(1970, 1, 1), dt.date(1969, 12, 31)})
_SPREADSHEETS_BEGIN: Final = dt.date(1899, 12, 30)  # Their day 0, as Excel counts from 1900-03 on.
# Values repeat from row to row; a memo this large covers thirty years of days.
MEMO_MAX: Final = 20_000

# RFC 5322 4.3: the hours by which these differ from UTC.
_ZONES = {"EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8}
_HALVES = {  # True: the half of the day that begins at noon.
    **dict.fromkeys(("a", "午前", "上午", "오전", "凌晨", "早上"), False),
    **dict.fromkeys(("p", "午後", "下午", "오후", "晚上", "中午"), True),
}
_TIME = (
    r"(?:(?P<early_half>午前|午後|上午|下午|凌晨|早上|中午|晚上|오전|오후)\s*)?"
    r"(?P<hour>[0-9]{1,2})(?:[:.]|\s?h\s?|時|时|點|点|시\s?)(?P<minute>[0-9]{2})(?:分|분)?"
    r"(?:[:\s]?(?P<second>[0-9]{2})(?:秒|초)?(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
    r"(?:\s*(?P<half>[ap])\.?m\.?)?"
)
_ZONE = r"(?P<zone>Z|(?:UTC|GMT)?[+-][0-9]{2}(?::?[0-9]{2})?|UTC|GMT|" + "|".join(_ZONES) + ")"
_AT = r"(?:(?:at|um|à|a las?|alle|às|om|o|godz\.?|в|о|kl\.?|klo|στις|saat|ve|ora)\s+)?"
_CLOCK = (
    rf"(?:(?:T|\s*,?\s+|(?<=[日일]))(?:-\s+)?{_AT}{_TIME}(?:\s+Uhr|\s?h(?:rs)?\.?)?)?"
    rf"(?:\s*{_ZONE}(?:\s\([^()]+\))?)?"  # The name of the zone, as JavaScript writes it.
)
_WEEKDAY = r"(?:[^\W\d_]{2,13}(?:-[^\W\d_]{2,6})?\.?,?\s+)?(?:(?:le|el|am|den|il|em|on|lo)\s+)?"
_YEAR_WORD = r"(?:\s*(?:г|р|r|yil|roku|року|года)\.?)?"  # As in Russian.
_WEEKDAY_BEHIND = r"(?:,?\s+[^\W\d_]{3,10})?"
_DAY_SPELLINGS = (
    r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})",
    r"(?P<year>[0-9]{4})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<day>[0-9]{1,2})\.?",  # Korean.
    (
        r"(?P<era>令和|平成)?\s?(?P<year>[0-9]{4}|[0-9]{1,2}|元)\s?[年년]\s?(?P<month>[0-9]{1,2})\s?[月월]\s?"
        r"(?P<day>[0-9]{1,2})\s?[日일号號](?:\s?\(?(?:[月火水木金土日월화수목금토일]|星期.|周.)(?:曜日?|요일)?\)?)?"
    ),
    (
        r"(?P<first>[0-9]{1,2})(?P<mark>[-/.])\s?(?P<other>[0-9]{1,2})(?P=mark)\s?"
        r"(?P<last>[0-9]{4}|[0-9]{1,2})\.?"
    ),
    (
        rf"{_WEEKDAY}(?P<name>[^\W\d_]{{3,12}})\.?\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+"
        r"(?P<year>[0-9]{4})"
    ),
    (
        rf"{_WEEKDAY}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|er|re|\.?[oº°ª]|\.)?(?:\s+|-)"
        r"(?:(?:de|of)\s+|d['\u2019])?"
        r"(?P<name>[^\W\d_]{3,12})\.?,?(?:\s+|-)(?:(?:de|del)\s+)?(?P<year>[0-9]{4}|[0-9]{2})"
        rf"{_YEAR_WORD}{_WEEKDAY_BEHIND}"
    ),
    r"(?P<day>[0-9]{1,2}) (?:tháng|thg) (?P<month>[0-9]{1,2}),? (?:năm )?(?P<year>[0-9]{4})",
    r"(?P<year>[0-9]{4})\.?\s+(?P<name>[^\W\d_]{3,12})\.?\s+(?P<day>[0-9]{1,2})\.?",
    r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})",
)
# As C, Java and Ruby print a moment.
_PRINTED = (
    rf"{_WEEKDAY}(?P<name>[a-z]{{3}}) (?P<day>[0-9]{{1,2}}) {_TIME} {_ZONE} (?P<year>[0-9]{{4}})"
)
_SPELLINGS = tuple(
    re.compile(spelling, re.IGNORECASE)
    for spelling in (*(day + _CLOCK for day in _DAY_SPELLINGS), _PRINTED)
)
# The years before the first one of an era of Japan.
_ERAS = {"令和": 2018, "平成": 1988}
# Three numbers of which the order is open.
_NUMBERS = re.compile(r"\s*([0-9]{1,2})([-/.])\s?([0-9]{1,2})\2\s?([0-9]{4}|[0-9]{1,2})(?![0-9])")
_EPOCH = re.compile(r"[0-9]{9,16}(?:\.[0-9]+)?|[2-7][0-9]{4}(?:\.[0-9]+)?")
_RELATIVE = re.compile("|".join(load("vocabulary/relative_dates.toml")["patterns"]), re.IGNORECASE)
_MONTH_ONLY = re.compile(
    r"[0-9]{4}(?:[-/.][0-9]{1,2})?|[0-9]{1,2}[-/.][0-9]{4}|[^\W\d_]+\.?,? [0-9]{4}"
    r"|[0-9]{4}\s?[年년]\s?[0-9]{1,2}\s?[月월]"
)
_NO_YEAR = re.compile(
    r"(?P<day>[0-9]{1,2})\.?[\s-](?P<name>[^\W\d_]{3,12})\.?"
    r"|(?P<late_name>[^\W\d_]{3,12})\.?[\s-](?P<late_day>[0-9]{1,2})"
    r"|[0-9]{4}-(?P<month>[0-9]{2})-(?P<iso_day>[0-9]{2})(?:[ T]00:00:00)?"
)


def _plain_name(name: str) -> str:
    """The name of a month without case and accents."""
    letters = unicodedata.normalize("NFKD", name.casefold()).replace("ı", "i")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_MONTHS = {
    _plain_name(name): number
    for number, names in enumerate(load("vocabulary/months.toml").values(), start=1)
    for name in names.split()
}


def _month_number(name: str) -> int:
    """1 to 12; 0 where it is no month."""
    return _MONTHS.get(_plain_name(name), 0)


class Day(NamedTuple):
    """A calendar day in the business's time zone, and whether the file had a mere date for it."""

    date: dt.date
    is_bare: bool


def is_relative(value: object) -> bool:
    """Whether a date counts from an unknown day, like "3 weeks ago"."""
    return isinstance(value, str) and _RELATIVE.search(value[:80]) is not None


class Numbers(NamedTuple):
    """A date of three numbers in an open order, like 04/05/2024."""

    first: int
    other: int
    last: int
    is_dotted: bool
    last_digits: int  # Four: it is the year. One: it is none.

    def day(self, order: DateOrder) -> dt.date | None:
        """The day in that order; None where there is no such day."""
        year, month, day = {
            "dmy": (self.last, self.other, self.first),
            "mdy": (self.last, self.first, self.other),
            "ymd": (self.first, self.other, self.last),
        }[order]
        if self.last_digits == (4 if order == "ymd" else 1):
            return None
        try:
            return dt.date(year if self.last_digits == 4 else 2000 + year, month, day)
        except ValueError:
            return None


def numbers_of(value: object) -> Numbers | None:
    """The numbers of a date like 04/05/2024; None for any other."""
    if not isinstance(value, str):
        return None
    found = _NUMBERS.match(half_width(without_invisible(value[:80])))
    if not found:
        return None
    first, mark, other, last = found.groups()
    return Numbers(int(first), int(other), int(last), mark == ".", len(last))


def month_and_day(text: str) -> tuple[int, int] | None:
    """Month and day of a date as spreadsheets save it; None for other texts."""
    if not (found := _NO_YEAR.fullmatch(text)):
        return None
    parts = found.groupdict()
    name = parts["name"] or parts["late_name"]
    month = _month_number(name) if name else int(parts["month"])
    day = int(parts["day"] or parts["late_day"] or parts["iso_day"])
    return (month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


class DateReader:
    """Reads dates of one file; equal spellings are read once.

    `order` is asked, with the field and the date, when one of three numbers turns up. A time
    without an offset is one of `naive_zone`; an instant becomes the calendar day in `time_zone`; a
    bare date stays as it is.
    """

    def __init__(
        self,
        *,
        time_zone: dt.tzinfo,
        today: dt.date,
        naive_zone: dt.tzinfo = dt.UTC,
        order: Callable[[str, Numbers], DateOrder],
    ) -> None:
        self._time_zone = time_zone
        self._naive_zone = naive_zone
        self._order = order
        self._latest = today + dt.timedelta(days=1)
        self._memos: defaultdict[str, dict[str, Day]] = defaultdict(dict)

    def read(self, value: Any, field: str) -> Day:
        """The day that the value names; relative, partial, unreal ones are refused.

        So are those in the future and before 1900.
        """
        if isinstance(value, str):
            memo = self._memos[field]
            if day := memo.get(value):
                return day
            day = self._parse(value, field)
        else:
            day = self._convert(value, field)
        if not EARLIEST <= day.date <= self._latest or day.date in _NO_DAYS:
            raise self._unreal(day.date, field, value)
        if isinstance(value, str):
            if len(memo) >= MEMO_MAX:
                memo.clear()
            memo[value] = day
        return day

    def _unreal(self, date: dt.date, field: str, value: object) -> ValueRefused:
        code, why = "date_invalid", f"{date} lies before {EARLIEST.year}. Correct the year."
        if date > self._latest:
            code, why = "date_in_future", f"{date} lies in the future. Correct the date."
        elif date in _NO_DAYS:
            why = f"programs write {date} where they know no day. Correct the date."
        return ValueRefused(field, code, f"{field}: {why}", value)

    def _convert(self, value: Any, field: str) -> Day:
        if isinstance(value, dt.datetime):
            # A spreadsheet keeps a mere date as the midnight that begins it.
            if value.tzinfo is None and value.time() == dt.time():
                return Day(value.date(), is_bare=True)
            return self._day_of(value, field, value)
        if isinstance(value, dt.date):
            return Day(value, is_bare=True)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._epoch(value, field, value)
        if isinstance(value, dict):
            return self._parts(value, field)
        raise _date_invalid(field, value)

    def _parts(self, value: dict[str, Any], field: str) -> Day:
        """The day of an object with a year, a month and a day."""
        try:
            year, month, day = (int(str(value[name])) for name in ("year", "month", "day"))
            return Day(dt.date(year, month, day), is_bare=True)
        except (KeyError, OverflowError, ValueError):
            raise _date_invalid(field, value) from None

    def _parse(self, value: str, field: str) -> Day:
        if len(value) == 10 and value[4] == "-" == value[7] and value.isascii():
            try:
                return Day(dt.date.fromisoformat(value), is_bare=True)
            except ValueError:
                raise _date_invalid(field, value) from None
        if len(value) >= 19 and value[4:11:3] in {"--T", "-- "} and value[13:17:3] == "::":
            # The common instant, read in C; what it does not know is read below.
            with contextlib.suppress(ValueError):
                return self._day_of(dt.datetime.fromisoformat(value), field, value)
        # Also full-width digits, and letters whose accent is a character of its own.
        text = " ".join(unicodedata.normalize("NFKC", without_invisible(value[:200])).split())
        if len(text) > 80 or len(value) > 200:
            raise _date_invalid(field, value)
        if _EPOCH.fullmatch(text):
            return self._epoch(float(text), field, value)
        for spelling in _SPELLINGS:
            if found := spelling.fullmatch(text):
                return self._calendar(found.groupdict(), field, value)
        raise _unreadable(text, field, value)

    def _calendar(self, parts: dict[str, str | None], field: str, value: str) -> Day:
        try:
            date = self._date(parts, field, value)
            if parts["hour"] is None:
                return Day(date, is_bare=True)
            moment = dt.datetime.combine(date, _clock(parts), _zone(parts["zone"]))
        except ValueError:
            raise _date_invalid(field, value) from None
        return self._day_of(moment, field, value)

    def _date(self, parts: dict[str, str | None], field: str, value: str) -> dt.date:
        if (first := parts.get("first")) is not None:
            last = parts["last"] or ""
            other, is_dotted = int(parts["other"] or 0), parts["mark"] == "."
            numbers = Numbers(int(first), other, int(last), is_dotted, len(last))
            is_open = len(last) < 4 or numbers.first != other
            date = numbers.day(self._order(field, numbers) if is_open else "dmy")
            if date is None:
                raise _date_invalid(field, value)
            return date
        name = parts.get("name")
        month = int(parts["month"] or 0) if name is None else _month_number(name)
        year = 1 if parts["year"] == "元" else int(parts["year"] or 0)
        year += _ERAS.get(parts.get("era") or "", 2000 if year < 100 else 0)
        return dt.date(year, month, int(parts["day"] or 0))

    def _epoch(self, number: float, field: str, value: object) -> Day:
        # Seconds from 1973 to 5138, or milliseconds or microseconds of the same span.
        for unit in (1, 1_000, 1_000_000):
            if 1e8 * unit <= number < 1e11 * unit:
                return self._day_of(
                    dt.datetime.fromtimestamp(number / unit, tz=dt.UTC), field, value
                )
        if 2e4 <= number < 8e4:
            day = _SPREADSHEETS_BEGIN + dt.timedelta(days=int(number))
            raise ValueRefused(
                field,
                "date_invalid",
                f"{field}: a spreadsheet counts days like this, and may mean {day}. Give the column"
                " the format of a date, and save the file again.",
                value,
            )
        raise _date_invalid(field, value)

    def _day_of(self, moment: dt.datetime, field: str, value: object) -> Day:
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self._naive_zone)
        try:
            return Day(moment.astimezone(self._time_zone).date(), is_bare=False)
        except (OverflowError, ValueError):
            raise _date_invalid(field, value) from None


def _clock(parts: dict[str, str | None]) -> dt.time:
    hour = int(parts["hour"] or 0)
    half = _HALVES.get((parts["half"] or parts["early_half"] or "").lower())
    if half is not None:
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if half else 0)
    # A leap second (RFC 3339 5.6) belongs to the minute that it ends.
    return dt.time(hour, int(parts["minute"] or 0), min(int(parts["second"] or 0), 59))


def _zone(text: str | None) -> dt.tzinfo | None:
    if text is None:
        return None
    text = text.upper().removeprefix("UTC").removeprefix("GMT")
    if text in _ZONES:
        return dt.timezone(dt.timedelta(hours=_ZONES[text]))
    if text[:1] not in {"+", "-"}:
        return dt.UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = dt.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return dt.timezone(-offset if text[0] == "-" else offset)


def _unreadable(text: str, field: str, value: str) -> ValueRefused:
    """Why a text is no date, and what to do about it."""
    if _RELATIVE.search(text):
        why = "a date relative to an unknown day cannot be taken in. Write the calendar date, like"
        return ValueRefused(field, "date_relative", f"{field}: {why} 2025-01-31.", value)
    if _MONTH_ONLY.fullmatch(text):
        return _date_invalid(field, value, "the day is missing. Write the whole date, like")
    return _date_invalid(field, value)


def _date_invalid(
    field: str, value: object, why: str = "this is not a calendar date. Write it like"
) -> ValueRefused:
    return ValueRefused(field, "date_invalid", f"{field}: {why} 2025-01-31.", value)
