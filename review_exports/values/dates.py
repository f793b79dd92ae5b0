"""Dates in the spellings of all sites and languages."""

import contextlib
import datetime as dt
import re
import unicodedata
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from review_exports.values import ValueRefused, value_refused
from review_exports.values.characters import half_width, without_invisible
from review_exports.vocabulary import load

DateOrder = Literal["dmy", "mdy", "ymd"]
DATE_ORDERS: Final[tuple[DateOrder, ...]] = ("dmy", "mdy", "ymd")

# An earlier year is a mistake, such as 25 for 2025.
EARLIEST: Final = dt.date(1900, 1, 1)
# The Unix epoch, which stands for a missing date, in UTC and in zones west of it.
_NO_DAYS: Final = frozenset({dt.date(1970, 1, 1), dt.date(1969, 12, 31)})
_SPREADSHEETS_BEGIN: Final = dt.date(1899, 12, 30)  # Day 0 of spreadsheets from March 1900 on.
# Size of a memo of repeated values; thirty years of days fit in.
MEMO_MAX: Final = 20_000

_WORDS = load("vocabulary/dates.toml")
_RELATIVE = re.compile("|".join(_WORDS["relative"]), re.IGNORECASE)
# Offsets from UTC in hours (RFC 5322 4.3).
_ZONES = {"EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8}
_HALVES = {  # True for p.m.
    **dict.fromkeys(_WORDS["before_noon"].split(), False),
    **dict.fromkeys(_WORDS["after_noon"].split(), True),
}
# The time at the end of a text; C, Java and Ruby print the year after it.
_TIME = re.compile(
    rf"(?:(?<=[0-9])T|[\s,-]+|(?<=[日일号號]))(?P<early_half>{'|'.join(_HALVES)})?\s*"
    r"(?P<hour>[0-9]{1,2})(?:[:.]|\s?h\s?|時|时|點|点|시\s?)(?P<minute>[0-9]{2})(?:分|분)?"
    r"(?:[:\s]?(?P<second>[0-9]{2})(?:秒|초)?(?:[.,][0-9]{1,9})?)?"
    r"(?:\s*(?P<half>[ap])\.?m\.?)?(?:\s+Uhr|\s?h(?:rs)?\.?)?"
    rf"(?:\s*(?P<zone>Z|(?:UTC|GMT)?[+-][0-9]{{2}}(?::?[0-9]{{2}})?|UTC|GMT|{'|'.join(_ZONES)}))?"
    r"(?P<year>\s[0-9]{4})?",
    re.IGNORECASE,
)
# The name of a zone after its offset, as in JavaScript.
_ZONE_NAME = re.compile(r"(?<=GMT[+-][0-9]{4}) \([^()]*\)$")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})(?![0-9])")
_EASTERN = re.compile(r"([0-9]{4})[年년] ?([0-9]{1,2})[月월] ?([0-9]{1,2})[日号號일]")
_TOKEN = re.compile(r"(?i)([0-9]++)(st|nd|rd|th|er|re|[eoa°])?(?![^\W\d_])|([0-9]++)|([^\W\d_]+)")
_BETWEEN = re.compile(r"[\s,./'\u2019()-]*")
# Kinds of the parts of a date -> positions of year, month and day. Y is a number of four digits, N
# a number of one or two, M the name of a month, v the word before a numbered month.
_SHAPES = {
    "YNN": (0, 1, 2),
    "YMN": (0, 1, 2),
    "NMY": (2, 1, 0),
    "NMN": (2, 1, 0),
    "MNY": (2, 0, 1),
    "NvNY": (3, 2, 0),
}
_OPEN = frozenset({"NNY", "NNN"})
_MONTH_ONLY = frozenset({"Y", "YN", "NY", "MY", "YM"})
# Three numbers in an open order.
_NUMBERS = re.compile(r"\s*([0-9]{1,2})([-/.])\s?([0-9]{1,2})\2\s?([0-9]{4}|[0-9]{1,2})(?![0-9])")
_EPOCH = re.compile(r"[0-9]{9,16}(?:\.[0-9]+)?|[2-7][0-9]{4}(?:\.[0-9]+)?")


def _plain_name(name: str) -> str:
    """Fold the case of a name and remove its accents."""
    letters = unicodedata.normalize("NFKD", name.casefold()).replace("\u0131", "i")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_MONTHS = {
    _plain_name(name): number
    for number, names in enumerate(_WORDS["months"], start=1)
    for name in names.split()
}
_WEEKDAYS = frozenset(map(_plain_name, _WORDS["weekdays"].split()))
_BESIDE = _WEEKDAYS.union(map(_plain_name, _WORDS["beside"].split()))
_NUMBERED_MONTH = frozenset(map(_plain_name, _WORDS["numbered_month"].split()))


def _parts_of(text: str) -> tuple[str, list[int]]:
    """Return the kinds of the parts of a date, as in `_SHAPES`, and their values.

    Both are empty if the text is not a date: each word must belong to dates, and be separate.
    """
    text = _EASTERN.sub(r"\1-\2-\3 ", _COMPACT.sub(r"\1-\2-\3", text, count=1))
    if not _BETWEEN.fullmatch(_TOKEN.sub("", text)):
        return "", []
    kinds, values = "", []
    has_ordinal = False
    for found in _TOKEN.finditer(text):
        name = _plain_name(found[4] or "")
        if number := found[1] or found[3]:
            kinds += {1: "N", 2: "N", 4: "Y"}.get(len(number), "?")
            values.append(int(number))
            has_ordinal = has_ordinal or bool(found[2])
        elif name in _MONTHS and (kinds or not _is_weekday(name, text[found.end() :])):
            kinds += "M"
            values.append(_MONTHS[name])
        elif name in _NUMBERED_MONTH:
            kinds += "v"
            values.append(0)
        elif name not in _BESIDE or _is_joined(text, found):
            return "", []
    return ("", []) if has_ordinal and "M" not in kinds else (kinds, values)


def _is_weekday(name: str, rest: str) -> bool:
    """Whether a name like "mar" is a day of the week, since a month follows."""
    return name in _WEEKDAYS and any(
        _plain_name(one[4] or "") in _MONTHS for one in _TOKEN.finditer(rest)
    )


def _is_joined(text: str, found: re.Match[str]) -> bool:
    """Whether a word touches a digit."""
    return text[found.start() - 1 : found.start()].isdigit() or text[found.end() :][:1].isdigit()


class Day(NamedTuple):
    """A day in the time zone of the business; `is_bare` if the file has no time for it."""

    date: dt.date
    is_bare: bool


def is_relative(value: object) -> bool:
    """Whether a date is relative to an unknown day, like "3 weeks ago"."""
    return isinstance(value, str) and _RELATIVE.search(value[:80]) is not None


class Numbers(NamedTuple):
    """A date of three numbers in an open order, like 04/05/2024."""

    first: int
    other: int
    last: int
    is_dotted: bool
    last_digits: int  # Number of digits of `last`: the year has four or two.

    def day(self, order: DateOrder) -> dt.date | None:
        """Return the day in an order, or None if it does not exist."""
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
    """Return the numbers of a date like 04/05/2024; None for other values."""
    if not isinstance(value, str):
        return None
    found = _NUMBERS.match(half_width(without_invisible(value[:80])))
    if not found:
        return None
    first, mark, other, last = found.groups()
    return Numbers(int(first), int(other), int(last), mark == ".", len(last))


def month_and_day(text: str) -> tuple[int, int] | None:
    """Return month and day of a date as spreadsheets save it; None for other texts."""
    kinds, values = _parts_of(text.removesuffix(" 00:00:00"))
    if kinds == "YNN":
        month, day = values[1:]
    elif kinds in {"NM", "MN"}:
        month, day = values if kinds == "MN" else reversed(values)
    else:
        return None
    return (month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


class DateReader:
    """Reads the dates of one file, with a memo of repeated spellings.

    `order(field, numbers)` returns the order of a date of three numbers. A time without an offset
    is in `naive_zone`. An instant becomes the day in `time_zone`; a bare date stays unchanged.
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
        self._memo: dict[tuple[str, str], Day] = {}

    def read(self, value: Any, field: str) -> Day:
        """Read a day; raises `ValueRefused` for relative, partial and impossible dates.

        Dates in the future and before 1900 are refused, too.
        """
        if isinstance(value, str) and (day := self._memo.get((field, value))):
            return day
        try:
            day = self._day_of(self._parse(value, field))
        except (OverflowError, ValueError):
            raise _unreadable(value, field) from None
        if not EARLIEST <= day.date <= self._latest or day.date in _NO_DAYS:
            key = "date_in_future" if day.date > self._latest else "date_invalid-early"
            key = "date_invalid-no_day" if day.date in _NO_DAYS else key
            raise value_refused(key, field, value, date=day.date, year=EARLIEST.year)
        if isinstance(value, str) and len(self._memo) < MEMO_MAX:
            self._memo[field, value] = day
        return day

    def read_instant(self, value: Any, *, default: dt.date) -> dt.datetime:
        """Return the instant of a value in UTC, or midnight of `default` if it is unreadable."""
        try:
            found = self._parse(value, "date")
        except (OverflowError, ValueError, ValueRefused):
            found = default
        if not isinstance(found, dt.datetime):
            found = dt.datetime.combine(found, dt.time(), dt.UTC)
        return self._aware(found).astimezone(dt.UTC)

    def _day_of(self, found: dt.date) -> Day:
        if not isinstance(found, dt.datetime):
            return Day(found, is_bare=True)
        return Day(self._aware(found).astimezone(self._time_zone).date(), is_bare=False)

    def _aware(self, moment: dt.datetime) -> dt.datetime:
        return moment if moment.tzinfo else moment.replace(tzinfo=self._naive_zone)

    def _parse(self, value: Any, field: str) -> dt.date:
        """Parse a date or time; raises `ValueError` or `OverflowError`."""
        if not isinstance(value, str):
            return _converted(value)
        if len(value) == 10 and value[4] == "-" == value[7] and value.isascii():
            return dt.date.fromisoformat(value)
        if len(value) >= 19 and value[4:11:3] in {"--T", "-- "} and value[13:17:3] == "::":
            # The most common format has a fast parser; other times are parsed below.
            with contextlib.suppress(ValueError):
                return dt.datetime.fromisoformat(value)
        text = _ZONE_NAME.sub("", _plain(value))
        if _EPOCH.fullmatch(text):
            return _converted(float(text))
        for time in _TIME.finditer(text):
            date = text[: time.start()] + (time["year"] or "")
            if time.end() == len(text) and (day := self._date(date, field)):
                return dt.datetime.combine(day, _clock(time), _zone(time["zone"]))
        if day := self._date(text, field):
            return day
        raise ValueError

    def _date(self, text: str, field: str) -> dt.date | None:
        """Parse a date without a time; None if it is not one. Raises `ValueError`."""
        kinds, values = _parts_of(text)
        if places := _SHAPES.get(kinds):
            year, month, day = (values[place] for place in places)
            return dt.date(year + (2000 if year < 100 else 0), month, day)
        numbers = numbers_of(text) if kinds in _OPEN else None
        if numbers and numbers.last_digits == 4 and numbers.first == numbers.other:
            return numbers.day("dmy")
        return numbers and numbers.day(self._order(field, numbers))


def _plain(value: str) -> str:
    """Normalise a text to NFKC with single spaces; empty if it is too long for a date."""
    text = " ".join(unicodedata.normalize("NFKC", without_invisible(value[:200])).split())
    return text if len(text) <= 80 and len(value) <= 200 else ""


def _converted(value: Any) -> dt.date:
    """Convert a value other than text; raises `OverflowError` or `ValueError`."""
    if isinstance(value, dt.datetime):
        # A spreadsheet stores a bare date as midnight.
        return value.date() if value.tzinfo is None and value.time() == dt.time() else value
    if isinstance(value, dt.date):
        return value
    if isinstance(value, dict):
        year, month, day = (int(str(value.get(name))) for name in ("year", "month", "day"))
        return dt.date(year, month, day)
    if isinstance(value, int | float) and not isinstance(value, bool):
        # Seconds, milliseconds or microseconds since the epoch, from 1973 to 5138.
        for unit in (1, 1_000, 1_000_000):
            if 1e8 * unit <= value < 1e11 * unit:
                return dt.datetime.fromtimestamp(value / unit, tz=dt.UTC)
    raise ValueError


def _clock(time: re.Match[str]) -> dt.time:
    hour = int(time["hour"])
    if word := time["early_half"] or (time["half"] and f"{time['half']}m"):
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if _HALVES[word.lower()] else 0)
    # A leap second (RFC 3339 5.6) belongs to the minute that it ends.
    return dt.time(hour, int(time["minute"]), min(int(time["second"] or 0), 59))


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


def _unreadable(value: object, field: str) -> ValueRefused:
    """Build the refusal of a value that is not a date."""
    text = _plain(str(value)) if type(value) in {str, int, float} else ""
    key, day = "date_invalid", None
    if _RELATIVE.search(text):
        key = "date_relative"
    elif _parts_of(text)[0] in _MONTH_ONLY:
        key = "date_invalid-month"
    elif _EPOCH.fullmatch(text) and 2e4 <= float(text) < 8e4:
        key = "date_invalid-spreadsheet"
        day = _SPREADSHEETS_BEGIN + dt.timedelta(days=int(float(text)))
    return value_refused(key, field, value, date=day)
