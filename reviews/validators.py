"""Validators of the administrator's values.

Messages about a list quote the wrong entry, since the administrator sees lines, not JSON.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models

from review_exports.values.texts import unpublishable
from review_exports.values.web_addresses import URL_MAX, is_web_address

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ENTRIES_MAX = 200
ENTRY_MAX = 200

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", re.ASCII)
_COUNTRY = re.compile(r"[A-Z]{2}", re.ASCII)

kebab_case = RegexValidator(
    r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", "Use lower-case letters and digits joined by single hyphens."
)


def check_fields(row: models.Model, checks: Mapping[str, Callable[[Any], None]]) -> None:
    """Check fields of a row, and raise all errors at once."""
    errors = {}
    for name, check in checks.items():
        try:
            check(getattr(row, name))
        except ValidationError as error:
            errors[name] = error
    if errors:
        raise ValidationError(errors)


def check_characters(text: str) -> None:
    """Refuse control characters, which documents must not hold; PostgreSQL stores no NUL."""
    if found := unpublishable(text):
        code = ord(found[0])
        raise ValidationError(
            f"Character {found.start() + 1} is U+{code:04X}, a control character that cannot be "
            "published. Remove it.",
            code="control_character",
        )


def check_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(
            f"There is no time zone “{name}”. Use an IANA name, like America/Los_Angeles or "
            "Europe/Berlin.",
            code="time_zone",
        )


def check_language(tag: str) -> None:
    if not _LANGUAGE.fullmatch(tag):
        raise ValidationError("Use a language tag, like en or en-GB.", code="language")


def check_country(code: str) -> None:
    if code and not _COUNTRY.fullmatch(code):
        raise ValidationError("Use the two capital letters, like US or DE.", code="country")


def check_web_addresses(entries: Any) -> None:
    """Check a list of http and https addresses."""
    for place, entry in _texts(entries, longest=URL_MAX):
        if not is_web_address(entry):
            raise _wrong(place, entry, "is not a complete web address, like https://example.com/us")


def check_texts(entries: Any) -> None:
    """Check a list of names or phrases."""
    for place, entry in _texts(entries, longest=ENTRY_MAX):
        if not entry.strip(" *"):
            raise _wrong(place, entry, "has no letters; write a word or delete the line")


def check_hours(entries: Any) -> None:
    """Check a list of `{"day": "monday", "opens": "08:00", "closes": "17:00"}`."""
    for place, entry in _entries(entries):
        if not isinstance(entry, dict) or set(entry) != {"day", "opens", "closes"}:
            raise _wrong(place, entry, "is not written like monday 08:00-17:00")
        if entry["day"] not in DAYS:
            raise _wrong(place, entry["day"], f"is not a day; use one of {', '.join(DAYS)}")
        for time in (entry["opens"], entry["closes"]):
            if not isinstance(time, str) or not _TIME.fullmatch(time):
                raise _wrong(place, time, "is not a time of day, like 08:00 or 17:30")
        if entry["opens"] == entry["closes"]:
            raise _wrong(place, entry["opens"], "is both the opening and the closing time")


def _texts(entries: Any, *, longest: int) -> list[tuple[int, str]]:
    for place, entry in (found := _entries(entries)):
        if not isinstance(entry, str):
            raise _wrong(place, entry, "is not a text")
        if len(entry) > longest:
            raise _wrong(place, entry, f"is longer than {longest} characters")
        if unpublishable(entry):
            raise _wrong(place, entry, "holds a control character; remove it")
    return found


def _entries(entries: Any) -> list[tuple[int, Any]]:
    if not isinstance(entries, list):
        raise ValidationError("This must be a list.", code="list")
    if len(entries) > ENTRIES_MAX:
        raise ValidationError(f"At most {ENTRIES_MAX} entries are kept.", code="too_many")
    return list(enumerate(entries, start=1))


def _wrong(place: int, entry: Any, why: str) -> ValidationError:
    shown = "".join(c if c.isprintable() else "�" for c in str(entry)[:60])
    return ValidationError(f"Entry {place}: “{shown}” {why}.", code="entry")
