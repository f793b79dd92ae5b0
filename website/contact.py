"""How and when the business is reached: contact, hours, profiles, where to leave a review."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _

from reviews.models import Business
from reviews.sites import Profile, profiles, review_links
from reviews.validators import DAYS

# Where the postal code stands behind the town and the region.
_TOWN_FIRST = frozenset({"US", "CA", "AU", "GB", "IE", "NZ", "IN"})
_EXTENSION = re.compile(r"(?:;ext=|ext\.?|x|#)\s*(\d{1,6})\s*$", re.IGNORECASE)
_NOT_DIALLED = re.compile(r"[\s()./\u2010-\u2015-]+")
_DIALLED = re.compile(r"\+?\d{3,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Opening:
    """Days with the same hours, like `Monday to Friday` and `07:30 to 18:00`."""

    days: str
    hours: str


@dataclass(frozen=True, slots=True)
class Contact:
    """How and when a business is reached; empty where nothing is stated."""

    address: list[str]  # The lines of the address.
    phone: str
    phone_link: str
    email: str
    openings: list[Opening]
    profiles: list[Profile]
    review_links: list[Profile]

    @property
    def is_stated(self) -> bool:
        return bool(self.address or self.phone or self.email or self.openings or self.profiles)


def contact(business: Business) -> Contact:
    return Contact(
        address=address_lines(business),
        phone=business.phone,
        phone_link=phone_link(business.phone),
        email=business.email,
        openings=openings(business.hours),
        profiles=profiles(business),
        review_links=review_links(business),
    )


def address_lines(business: Business) -> list[str]:
    """The address as letters of its country have it."""
    city, region, code = business.city, business.region, business.postal_code
    if not business.country or business.country in _TOWN_FIRST:
        town = " ".join(filter(None, [", ".join(filter(None, [city, region])), code]))
    else:
        town = ", ".join(filter(None, [" ".join(filter(None, [code, city])), region]))
    return list(filter(None, [business.street, town]))


def phone_link(phone: str) -> str:
    """The number as a `tel:` address (RFC 3966); empty where it holds more than a number."""
    extension = _EXTENSION.search(phone)
    number = phone[: extension.start()] if extension else phone
    dialled = _NOT_DIALLED.sub("", number.replace("(0)", "") if "+" in number else number)
    if not _DIALLED.fullmatch(dialled):
        return ""
    return f"tel:{dialled}" + (f";ext={extension[1]}" if extension else "")


def openings(hours: object) -> list[Opening]:
    """The week, days in a row with the same hours as one; nothing where no hours are stated."""
    entries = hours if isinstance(hours, list) else []
    of_day = {day: _hours_of(day, entries) for day in DAYS}
    if not any(of_day.values()):
        return []
    rows = []
    for text, run in groupby(DAYS, key=of_day.__getitem__):
        days = [str(WEEKDAYS[DAYS.index(day)]) for day in run]
        span = {"first": days[0], "last": days[-1]}
        name = days[0] if len(days) == 1 else _("%(first)s to %(last)s") % span
        rows.append(Opening(name, text or _("closed")))
    return rows


def _hours_of(day: str, entries: Sequence[object]) -> str:
    spans = [
        (str(entry.get("opens", "")), str(entry.get("closes", "")))
        for entry in entries
        if isinstance(entry, dict) and entry.get("day") == day
    ]
    return ", ".join(
        _("%(opens)s to %(closes)s") % {"opens": opens, "closes": closes}
        for opens, closes in sorted(spans)
    )
