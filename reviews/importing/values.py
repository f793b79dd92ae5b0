"""Pure: the value rules. What a file spells in many ways becomes one value, or is refused.

Every refusal is a `ValueRefused` that names the field and the remedy. Nothing is guessed: a value
that could mean two things is refused, so that importing a file again always gives the same reviews.
"""

import contextlib
import datetime as dt
import hashlib
import html
import ipaddress
import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

DateOrder = Literal["dmy", "mdy"]

ANONYMOUS: Final = "Anonymous"
TEXT_MAX: Final = 20_000
AUTHOR_MAX: Final = 200
URL_MAX: Final = 1000
EXTERNAL_ID_MAX: Final = 255
SOURCE_MAX: Final = 50
LANGUAGE_MAX: Final = 20
SHOWN_MAX: Final = 80
# Values repeat from row to row; a memo this large covers thirty years of days.
MEMO_MAX: Final = 20_000


class ValueRefused(Exception):
    """A value that cannot be taken in; `value` is the shortened value as the file has it."""

    def __init__(self, field: str | None, code: str, message: str, value: object = "") -> None:
        super().__init__(message)
        self.field = field
        self.code = code
        self.message = message
        self.value = shown(value)


def shown(value: object) -> str:
    """The value shortened for a list of errors: one printable line."""
    if isinstance(value, int) and abs(value) > 10**SHOWN_MAX:
        return "a very large number"
    text = str(value if not isinstance(value, list | dict) else type(value).__name__)
    text = "".join(
        character if character.isprintable() else " " for character in text[: SHOWN_MAX + 1]
    )
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"


# --- Texts ------------------------------------------------------------------------------------

# NEL (U+0085) is a line break of its own kind and therefore not among the control characters.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
# No text in any encoding: XML 1.0 2.2 forbids these, and UTF-8 cannot carry lone surrogates.
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufffe\uffff]")
_LINE_BREAK = re.compile("\r\n|\r|\x85")
_BR = re.compile(r"<br\s*/?>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"</p>\s*(?=<p[\s>])", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|center|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|iframe|img|ins"
    r"|del|li|mark|ol|p|pre|q|s|script|small|span|strike|strong|style|sub|sup|table|tbody|td|th"
    r"|thead|tr|tt|u|ul)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_HTML_MAX = 10 * TEXT_MAX


def as_text(value: Any, field: str) -> str:
    """A value of JSON or of a cell as text; objects, lists and truth values are refused."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300:
        return str(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    raise ValueRefused(
        field,
        "wrong_type",
        f"{field}: the file has {_kind(value)} here; a text is expected. Correct the value.",
        value,
    )


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else "an unreadable number"


def clean_text(value: Any, field: str) -> str:
    """A text as people read it: line breaks as LF, `<br>` too, entities decoded once, no tags.

    Control characters and more than 20,000 characters are refused.
    """
    text = value if isinstance(value, str) else as_text(value, field)
    # The fast path for nearly every cell: one scan in C.
    if not text.isprintable():
        text = _LINE_BREAK.sub("\n", _checked(text, field))
    if "<" in text or "&" in text:
        if len(text) > _HTML_MAX:
            raise too_long(field, text)
        text = _PARAGRAPH.sub("\n\n", _BR.sub("\n", text))
        text = html.unescape(_TAG.sub("", text))
        # An entity can stand for what the file itself could not hold.
        text = _LINE_BREAK.sub("\n", _checked(text, field))
    text = text.strip()
    if len(text) > TEXT_MAX:
        raise too_long(field, text)
    return text


def literal_text(value: Any, field: str) -> str:
    """A text exactly as it stands, for exports whose texts are clean already."""
    text = value if isinstance(value, str) else as_text(value, field)
    if not text.isprintable():
        text = _checked(text, field)
    if len(text) > TEXT_MAX:
        raise too_long(field, text)
    return text


def _checked(text: str, field: str) -> str:
    if found := _CONTROL.search(text):
        raise ValueRefused(
            field,
            "control_character",
            f"{field}: the value holds the control character U+{ord(found[0]):04X}, which no "
            "document may carry. Remove it from the file.",
            text,
        )
    return _NO_CHARACTER.sub("", text)


def too_long(field: str, text: str) -> ValueRefused:
    return ValueRefused(
        field,
        "text_too_long",
        f"{field}: the text has {len(text):,} characters; at most {TEXT_MAX:,} are taken in. "
        "Shorten it.",
        text,
    )


def with_title(title: str, text: str) -> str:
    """The title in front of the text, unless the text begins with it anyway."""
    if not title:
        return text
    if text.startswith(title.rstrip("….").rstrip() or title):
        return text
    return f"{title}\n\n{text}" if text else title


class Translation(NamedTuple):
    text: str
    translated: str
    is_translation_only: bool


_MARKER = "(Translated by Google)"
_ORIGINAL = "(Original)"


def split_translation(text: str) -> Translation:
    """Original and translation of a text in Google's envelope, whichever comes first in it.

    Where the original was cut off the translation stays as the text, and the answer says so.
    """
    before, marker, after = text.partition(_MARKER)
    if not marker:
        return Translation(text, "", is_translation_only=False)
    before, after = before.strip(), after.strip()
    if before:
        return Translation(before, after, is_translation_only=False)
    translated, _, original = after.partition(_ORIGINAL)
    translated, original = translated.strip(), original.strip()
    if original:
        return Translation(original, translated, is_translation_only=False)
    return Translation(translated, "", is_translation_only=True)


# --- Authors ----------------------------------------------------------------------------------

_EMAIL = re.compile(r"[^\s@<>()\[\]\",;:]{1,64}@[^\s@<>()\[\]\",;:]{1,253}\.[^\s@<>()\[\]\",;:.]+")
_ODD_EMAIL = re.compile(r"\S@|@\s*\S+\.\S")
_EMAIL_IN_URL = re.compile(
    r"[A-Za-z0-9._+-](?:@|%40)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
)
_PHONE = re.compile(r"\+?\(?[0-9][0-9\s()./-]{5,}[0-9]")
_IPV4 = re.compile(r"(?<![0-9.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9.])")


def clean_author(value: Any) -> str:
    """A display name with single spaces; "Anonymous" where there is none but a contact address."""
    name = clean_text(value, "author")
    if "@" in name:
        name = _EMAIL.sub("", name).strip("<>()[]\"',;: ")
        # What remains of an address in an unusual spelling must not slip through either.
        if _ODD_EMAIL.search(name):
            return ANONYMOUS
    name = " ".join(name.split())
    if not name:
        return ANONYMOUS
    # Both begin with a digit or have a colon, which few names do.
    if (name[0] in "+(0123456789" or ":" in name) and (
        _PHONE.fullmatch(name) or is_ip_address(name)
    ):
        return ANONYMOUS
    return name[:AUTHOR_MAX].rstrip()


def is_ip_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_contact(text: str) -> bool:
    """Whether a cell holds what must never be stored: an e-mail or IP address or a phone number."""
    if "@" in text and _EMAIL.search(text):
        return True
    if _IPV4.search(text):
        return True
    text = text.strip()
    return ":" in text and is_ip_address(text)


# --- Ratings ----------------------------------------------------------------------------------

_NUMBER = r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?"
_SCALE = re.compile(rf"({_NUMBER})\s*(?:/|out of|of|von|sur|de|di|van)\s*({_NUMBER})")
_PERCENT = re.compile(rf"({_NUMBER})\s*%")
_STARS = re.compile(
    rf"(?:rated\s+)?({_NUMBER})[\s-]*(?:stars?|sterne?n?|étoiles?|estrellas?|stell[ae]|ster(?:ren)?)?"
    r"(?:\s*ratings?)?"
)
_SCALE_STARS = re.compile(
    r"^rated\s+|\s*(?:star|stars|sterne?n?|étoiles?|estrellas?)(?:\s*rating)?$"
)
_FULL_STARS = "★⭐🌟✭✮✯*"
_DRAWN_STARS = re.compile(rf"[{re.escape(_FULL_STARS)}☆✩✰\ufe0e\ufe0f\s]+")
_WORDS: dict[str, int] = {
    **{word: n for n, word in enumerate(("one", "two", "three", "four", "five"), start=1)},
    **dict.fromkeys(("recommended", "recommend", "recommends", "positive"), 5),
    **dict.fromkeys(
        (
            "not recommended",
            "not_recommended",
            "doesn't recommend",
            "doesn\u2019t recommend",
            "does not recommend",
            "negative",
        ),
        1,
    ),
}
RATING_REMEDY = "Correct the value to 1, 2, 3, 4 or 5, or leave the review out."


def read_rating(value: Any, *, best: Any = None, round_half_up: bool = False) -> int:
    """Whole stars from 1 to 5, whatever the spelling or the scale of the file.

    Percent and scales other than five are brought to five, half up (9/10 is 5 stars). A fraction
    on the five-star scale is refused unless `round_half_up`.
    """
    if type(value) is int:
        if not isinstance(best, str | int | float) or isinstance(best, bool) or best in {5, "5"}:
            return _in_range(value, value)
        value = str(value) if abs(value) < 10**9 else "x"
    stars, is_fraction = _stars(value, best)
    if is_fraction and stars != stars.to_integral_value() and not round_half_up:
        raise ValueRefused(
            "rating",
            "rating_not_whole",
            "rating: the stars are not whole. Correct the value to 1, 2, 3, 4 or 5, or import with "
            "the option to round half up.",
            value,
        )
    return _in_range(int(stars.to_integral_value(ROUND_HALF_UP)), value)


def _in_range(stars: int, value: object) -> int:
    if 1 <= stars <= 5:
        return stars
    raise ValueRefused(
        "rating",
        "rating_out_of_range",
        f"rating: the stars must be from 1 to 5. {RATING_REMEDY}",
        value,
    )


def _stars(value: Any, best: Any) -> tuple[Decimal, bool]:
    """The stars on the scale of five, and whether they were counted on that scale in the file."""
    if isinstance(value, float) and math.isfinite(value) and abs(value) < 1e9:
        value = f"{value:.9f}".rstrip("0").rstrip(".")
    if not isinstance(value, str) or len(value) > 100:
        raise _rating_unreadable(value)
    text = value.strip().casefold()
    if (word := _WORDS.get(text)) is not None:
        return Decimal(word), True
    if text and _DRAWN_STARS.fullmatch(text):
        return Decimal(sum(text.count(star) for star in _FULL_STARS)), True
    if found := _PERCENT.fullmatch(text):
        return _scaled(_decimal(found[1]), Decimal(100), value)
    if found := _SCALE.fullmatch(_SCALE_STARS.sub("", text)):
        return _scaled(_decimal(found[1]), _decimal(found[2]), value)
    if found := _STARS.fullmatch(text):
        return _scaled(_decimal(found[1]), _best(best), value)
    raise _rating_unreadable(value)


def _best(best: Any) -> Decimal:
    text = str(best) if isinstance(best, str | int | float) and not isinstance(best, bool) else ""
    return _decimal(text) if re.fullmatch(_NUMBER, text) else Decimal(5)


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def _scaled(number: Decimal, scale: Decimal, value: object) -> tuple[Decimal, bool]:
    if scale == 5:
        return number, True
    if scale <= 0:
        raise _rating_unreadable(value)
    return number * 5 / scale, False


def _rating_unreadable(value: object) -> ValueRefused:
    return ValueRefused(
        "rating", "rating_unreadable", f"rating: no stars can be read here. {RATING_REMEDY}", value
    )


# --- Dates ------------------------------------------------------------------------------------

_MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jänner janvier enero ene gennaio januari",
            "feb february februar feber février févr fév fevrier febrero febbraio februari",
            "mar march märz mrz mars marzo maart",
            "apr april avril avr abril abr aprile",
            "may mai mayo maggio mei",
            "jun june juni juin junio giugno",
            "jul july juli juillet juil julio luglio",
            "aug august août aout agosto ago augustus",
            "sep sept september septembre septiembre settembre",
            "oct october oktober okt octobre octubre ottobre",
            "nov november novembre noviembre",
            "dec december dezember dez décembre decembre déc diciembre dic dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
_CLOCK = (
    r"(?:(?:T|\s*,?\s+)(?:at\s+|um\s+)?(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?(?:\s*(?P<half>[ap])\.?m\.?)?"
    r"(?:\s+Uhr)?)?(?:\s*(?P<zone>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?))?"
)
_WEEKDAY = r"(?:[^\W\d_]{2,10}\.?,?\s+)?"
_DAY_SPELLINGS = (
    r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})",
    r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<year>[0-9]{4}|[0-9]{2})",
    r"(?P<first>[0-9]{1,2})(?P<mark>[-/])(?P<other>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4}|[0-9]{2})",
    (
        rf"{_WEEKDAY}(?P<name>[^\W\d_]{{3,10}})\.?\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+"
        r"(?P<year>[0-9]{4})"
    ),
    (
        rf"{_WEEKDAY}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|er|\.)?(?:\s+|-)(?:de\s+)?"
        r"(?P<name>[^\W\d_]{3,10})\.?,?(?:\s+|-)(?:de\s+)?(?P<year>[0-9]{4})"
    ),
    r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})",
)
_SPELLINGS = tuple(re.compile(day + _CLOCK, re.IGNORECASE) for day in _DAY_SPELLINGS)
_SLASHES = re.compile(r"\s*([0-9]{1,2})([-/])([0-9]{1,2})\2(?:[0-9]{4}|[0-9]{2})(?![0-9])")
_EPOCH = re.compile(r"[0-9]{9,16}(?:\.[0-9]+)?")
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


def slash_order(value: object) -> DateOrder | Literal["either", "ambiguous"] | None:
    """Which order of day and month a date like 04/05/2024 shows; None: it is no such date."""
    found = _SLASHES.match(value) if isinstance(value, str) else None
    if not found:
        return None
    first, second = int(found[1]), int(found[3])
    if first == second:
        return "either"
    if first > 12 >= second:
        return "dmy"
    if second > 12 >= first:
        return "mdy"
    # Two numbers above 12 are no date at all and decide nothing.
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
        try:
            self._latest = today + dt.timedelta(days=1)
        except OverflowError:
            self._latest = dt.date.max
        self._memo: dict[str, Day] = {}

    def read(self, value: Any, field: str) -> Day:
        """The day that the value names; relative, partial, unreal and future ones are refused."""
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
        raise _date_invalid(field, value)

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
        text = " ".join(value.split())
        if len(text) > 60:
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
    if text[0] not in "+-":
        return dt.UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = dt.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return dt.timezone(-offset if text[0] == "-" else offset)


def _date_invalid(field: str, value: object) -> ValueRefused:
    return ValueRefused(
        field,
        "date_invalid",
        f"{field}: this is no calendar date. Write it like 2025-01-31.",
        value,
    )


# --- Identifiers, addresses, flags ------------------------------------------------------------

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
# Nearly every address there is; parsing the others by the book takes ten times as long.
_PLAIN_URL = re.compile(
    r"https?://[A-Za-z0-9][A-Za-z0-9.-]{0,252}(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9./?#&=%+:;,~!@$'()*_-]*)?"
)
_NO_URL = frozenset({"", "-", "--", "n/a", "na", "none", "null", "nil"})
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_YES = frozenset({"true", "yes", "y", "1", "1.0", "verified", "ja", "wahr", "oui", "si", "sí", "x"})
_NO = frozenset(
    {"false", "no", "n", "0", "0.0", "unverified", "not verified", "nein", "falsch", "non"}
)


def slug(name: str) -> str:
    """Lower case; runs of anything but letters and digits of ASCII become one hyphen."""
    return _NOT_SLUG.sub("-", name.lower()).strip("-")[:SOURCE_MAX].rstrip("-")


def is_ulid(text: str) -> bool:
    return _ULID.fullmatch(text) is not None


def clean_external_id(value: Any) -> str:
    """A vendor's id; one too long for the merge key, or with an address in it, as its hash."""
    text = as_text(value, "review_id").strip()
    if not text.isprintable() and (_CONTROL.search(text) or _NO_CHARACTER.search(text)):
        raise ValueRefused(
            "review_id",
            "control_character",
            "review_id: the value holds a character that no document may carry. Remove it.",
            text,
        )
    if len(text) > EXTERNAL_ID_MAX or ("@" in text and _EMAIL.search(text)):
        return "sha1:" + _sha1(text)
    return text


def synthetic_id(*parts: str) -> str:
    """An id for a review whose file has none: the same parts give the same id in every import."""
    return "sha1:" + _sha1("\n".join(parts))[:16]


def _sha1(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def clean_url(value: Any, field: str) -> str:
    """An http or https address, "" for none; another scheme is refused as `url_scheme`.

    An address that is malformed, longer than the column or has somebody's e-mail address in it is
    refused as `url_invalid`; callers drop it with a warning rather than lose the review.
    """
    text = as_text(value, field).strip()
    if len(text) <= URL_MAX and _PLAIN_URL.fullmatch(text):
        if ("@" in text or "%40" in text) and _EMAIL_IN_URL.search(text):
            raise _url_invalid(field, text)
        return text
    if not text[:8].lower().startswith(("https://", "http://")):
        if text.lower() in _NO_URL:
            return ""
        scheme = _SCHEME.match(text)
        raise ValueRefused(
            field,
            "url_scheme",
            f"{field}: only addresses that begin with https:// or http:// are taken in"
            + (f", not {shown(scheme[1])}:. " if scheme else ". ")
            + "Correct the address or leave it empty.",
            text,
        )
    try:
        is_good = (
            len(text) <= URL_MAX
            and text.isprintable()
            and not any(character in ' <>"\\^`{|}' for character in text)
            and bool(urlsplit(text).hostname)
            and not _EMAIL_IN_URL.search(text)
        )
    except ValueError:
        is_good = False
    if not is_good:
        raise _url_invalid(field, text)
    return text


def _url_invalid(field: str, text: str) -> ValueRefused:
    return ValueRefused(
        field,
        "url_invalid",
        f"{field}: this is no complete web address of at most {URL_MAX:,} characters. Correct it "
        "or leave it empty.",
        text,
    )


def read_flag(value: Any) -> bool | None:
    """Yes or no; None where the file does not say."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().casefold() if isinstance(value, str | int | float) else ""
    return True if text in _YES else False if text in _NO else None


# --- Cells for spreadsheet programs -----------------------------------------------------------

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def guard_cell(text: str) -> str:
    """The cell for a CSV that a spreadsheet program may open: never taken for a formula."""
    return "'" + text if _FORMULA.match(text) else text


def unguard_cell(text: str) -> str:
    """The cell as it was before `guard_cell`."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text, 1) else text


def naive_zone(name: str | None) -> dt.tzinfo:
    return ZoneInfo(name) if name else dt.UTC
