"""Pure: calendar days in the spellings of all sites and languages."""

import contextlib
import datetime as dt
import re
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from reviews.importing.values.refusals import ValueRefused
from reviews.importing.values.unseen import without_unseen

DateOrder = Literal["dmy", "mdy"]

# A year before that is a slip, as when 25 was typed for 2025.
EARLIEST: Final = dt.date(1900, 1, 1)
_SPREADSHEETS_BEGIN: Final = dt.date(1899, 12, 30)  # Their day 0, as Excel counts from 1900-03 on.
# Values repeat from row to row; a memo this large covers thirty years of days.
MEMO_MAX: Final = 20_000

_MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            (
                "jan january januar jänner janvier janv enero ene gennaio gen janeiro januari "
                "stycznia sty"
            ),
            "feb february februar feber février févr fév febrero febbraio fevereiro fev lutego lut",
            "mar march märz mär mrz mars marzo março maart mrt marca marts",
            "apr april avril avr abril abr aprile kwietnia kwi",
            "may mai mayo maggio mag maio mei maj maja",
            "jun june juni juin junio giugno giu junho czerwca cze",
            "jul july juli juillet juil julio luglio lug julho lipca lip",
            "aug august août aout agosto ago augustus augusti sierpnia sie",
            "sep sept september septembre septiembre settembre set setembro września wrz",
            "oct october oktober okt octobre octubre ottobre ott outubro out października paź",
            "nov november novembre noviembre novembro listopada lis",
            (
                "dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro "
                "grudnia gru desember des"
            ),
        ),
        start=1,
    )
    for name in names.split()
}
# RFC 5322 4.3: the hours by which these differ from UTC.
_ZONES = {"EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8}
_TIME = (
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?(?:\s*(?P<half>[ap])\.?m\.?)?"
)
_ZONE = r"(?P<zone>Z|(?:UTC|GMT)?[+-][0-9]{2}(?::?[0-9]{2})?|UTC|GMT|" + "|".join(_ZONES) + ")"
_CLOCK = (
    rf"(?:(?:T|\s*,?\s+)(?:at\s+|um\s+)?{_TIME}(?:\s+Uhr)?)?"
    rf"(?:\s*{_ZONE}(?:\s\([^()]+\))?)?"  # The name of the zone, as JavaScript writes it.
)
_WEEKDAY = r"(?:[^\W\d_]{2,10}\.?,?\s+)?"
_DAY_SPELLINGS = (
    r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})",
    r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<year>[0-9]{4}|[0-9]{2})",
    r"(?P<first>[0-9]{1,2})(?P<mark>[-/])(?P<other>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4}|[0-9]{2})",
    (
        rf"{_WEEKDAY}(?P<name>[^\W\d_]{{3,12}})\.?\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+"
        r"(?P<year>[0-9]{4})"
    ),
    (
        rf"{_WEEKDAY}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|er|\.)?(?:\s+|-)(?:(?:de|of)\s+)?"
        r"(?P<name>[^\W\d_]{3,12})\.?,?(?:\s+|-)(?:de\s+)?(?P<year>[0-9]{4}|[0-9]{2})"
    ),
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
_SLASHES = re.compile(r"\s*([0-9]{1,2})([-/])([0-9]{1,2})\2(?:[0-9]{4}|[0-9]{2})(?![0-9])")
_EPOCH = re.compile(r"[0-9]{9,16}(?:\.[0-9]+)?|[2-7][0-9]{4}(?:\.[0-9]+)?")
_RELATIVE = re.compile(
    r"\bago\b|\byesterday\b|\btoday\b|\bjust now\b|\b(?:last|this) (?:week|month|year)\b|\bvor\b"
    r"|\bgestern\b|\bheute\b|\bil y a\b|\bhier\b|\bhace\b|\bayer\b|\bfa\b|\bieri\b|\bgeleden\b"
    r"|\bhá\b",
    re.IGNORECASE,
)
_MONTH_ONLY = re.compile(
    r"[0-9]{4}(?:[-/.][0-9]{1,2})?|[0-9]{1,2}[-/.][0-9]{4}|[^\W\d_]+\.?,? [0-9]{4}"
)


class Day(NamedTuple):
    """A calendar day in the business's time zone, and whether the file had a mere date for it."""

    date: dt.date
    is_bare: bool


def is_relative(value: object) -> bool:
    """Whether a date counts from an unknown day, like "3 weeks ago"."""
    return isinstance(value, str) and _RELATIVE.search(value[:80]) is not None


def slash_order(value: object) -> DateOrder | Literal["either", "ambiguous"] | None:
    """Which order of day and month a date like 04/05/2024 shows; None: it is no such date."""
    found = _SLASHES.match(without_unseen(value)) if isinstance(value, str) else None
    if not found:
        return None
    first, second = int(found[1]), int(found[3])
    if first == second:
        return "either"
    if first > 12 >= second:
        return "dmy"
    if second > 12 >= first:
        return "mdy"
    # Two numbers above 12 are not a date at all and decide nothing.
    return "ambiguous" if first <= 12 else "either"


class DateReader:
    """Reads dates of one file; equal spellings are read once.

    `order` is asked only when a date with slashes turns up. A time without an offset is one of
    `naive_zone`; an instant becomes the calendar day in `time_zone`; a bare date stays as it is.
    """

    def __init__(
        self,
        *,
        time_zone: dt.tzinfo,
        today: dt.date,
        naive_zone: dt.tzinfo = dt.UTC,
        order: Callable[[], DateOrder],
    ) -> None:
        self._time_zone = time_zone
        self._naive_zone = naive_zone
        self._order = order
        self._latest = today + dt.timedelta(days=1)
        self._memo: dict[str, Day] = {}

    def read(self, value: Any, field: str) -> Day:
        """The day that the value names; relative, partial, unreal ones are refused.

        So are those in the future and before 1900.
        """
        if isinstance(value, str):
            if day := self._memo.get(value):
                return day
            day = self._parse(value, field)
        else:
            day = self._convert(value, field)
        if day.date > self._latest:
            raise ValueRefused(
                field,
                "date_in_future",
                f"{field}: {day.date} lies in the future. Correct the date.",
                value,
            )
        if day.date < EARLIEST:
            raise ValueRefused(
                field,
                "date_invalid",
                f"{field}: {day.date} lies before {EARLIEST.year}. Correct the year.",
                value,
            )
        if isinstance(value, str):
            if len(self._memo) >= MEMO_MAX:
                self._memo.clear()
            self._memo[value] = day
        return day

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
        text = " ".join(without_unseen(value).split())
        if len(text) > 80:
            raise _date_invalid(field, value)
        if _EPOCH.fullmatch(text):
            return self._epoch(float(text), field, value)
        for spelling in _SPELLINGS:
            if found := spelling.fullmatch(text):
                return self._calendar(found.groupdict(), field, value)
        if _RELATIVE.search(text):
            raise ValueRefused(
                field,
                "date_relative",
                f"{field}: a date relative to an unknown day cannot be taken in. Write the calendar"
                " date, like 2025-01-31.",
                value,
            )
        if _MONTH_ONLY.fullmatch(text):
            raise ValueRefused(
                field,
                "date_invalid",
                f"{field}: the day is missing. Write the whole date, like 2025-01-31.",
                value,
            )
        raise _date_invalid(field, value)

    def _calendar(self, parts: dict[str, str | None], field: str, value: str) -> Day:
        if (name := parts.get("name")) is not None:
            month = _MONTHS.get(name.casefold(), 0)
            day = int(parts["day"] or 0)
        elif (first := parts.get("first")) is not None:
            pair = int(first), int(parts["other"] or 0)
            order = "dmy" if pair[0] == pair[1] else self._order()
            day, month = pair if order == "dmy" else pair[::-1]
        else:
            month, day = int(parts["month"] or 0), int(parts["day"] or 0)
        year = int(parts["year"] or 0)
        year += 2000 if year < 100 else 0
        try:
            date = dt.date(year, month, day)
            if parts["hour"] is None:
                return Day(date, is_bare=True)
            moment = dt.datetime.combine(date, _clock(parts), _zone(parts["zone"]))
        except ValueError:
            raise _date_invalid(field, value) from None
        return self._day_of(moment, field, value)

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
    if half := parts["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if half in "pP" else 0)
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


def _date_invalid(field: str, value: object) -> ValueRefused:
    return ValueRefused(
        field,
        "date_invalid",
        f"{field}: this is not a calendar date. Write it like 2025-01-31.",
        value,
    )
