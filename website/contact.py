"""Contact details of the business: address, hours, profiles, links for reviews."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _

from reviews.models import Business
from reviews.sites import Profile, profiles, review_links
from reviews.validators import DAYS

# Countries that write the postal code after town and region.
_TOWN_FIRST = frozenset({"US", "CA", "AU", "GB", "IE", "NZ", "IN"})
_EXTENSION = re.compile(r"(?:;ext=|ext\.?|x|#)\s*(\d{1,6})\s*$", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s()./\u2010-\u2015-]+")
_NUMBER = re.compile(r"\+?\d{3,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Opening:
    """Opening hours of consecutive days, like `Monday to Friday`, `07:30 to 18:00`."""

    days: str
    hours: str


@dataclass(frozen=True, slots=True)
class Contact:
    """Contact details of a business; empty if it states none."""

    address: list[str]
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
    """Format the address as is usual in its country."""
    city, region, code = business.city, business.region, business.postal_code
    if not business.country or business.country in _TOWN_FIRST:
        town = " ".join(filter(None, [", ".join(filter(None, [city, region])), code]))
    else:
        town = ", ".join(filter(None, [" ".join(filter(None, [code, city])), region]))
    return list(filter(None, [business.street, town]))


def phone_link(phone: str) -> str:
    """Convert a phone number to a `tel:` URI (RFC 3966); empty if it contains other text."""
    extension = _EXTENSION.search(phone)
    number = phone[: extension.start()] if extension else phone
    digits = _SEPARATORS.sub("", number.replace("(0)", "") if "+" in number else number)
    if not _NUMBER.fullmatch(digits):
        return ""
    return f"tel:{digits}" + (f";ext={extension[1]}" if extension else "")


def openings(hours: object) -> list[Opening]:
    """Group consecutive days with the same hours; empty if no hours are stated."""
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
