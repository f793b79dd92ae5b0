"""The times that a review carries: when it was published here, and when that last changed.

Feed readers and copies compare these times, many of them by whole seconds. So each change has a
later second than the change before, and no two reviews share the time of their publication.
"""

import datetime as dt
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from django.apps import apps
from django.db.models import Model, QuerySet

RECENT_DAYS = 7
SECOND = dt.timedelta(seconds=1)
MILLISECOND = dt.timedelta(milliseconds=1)
# How far changes in quick succession run ahead of the clock by whole seconds.
AHEAD = dt.timedelta(minutes=1)
# A time beyond this comes from a clock that was wrong, or from a demo of the future.
BELIEVED = dt.timedelta(days=1)
LOOKED_UP = dt.timedelta(days=7)  # More seconds than one day has reviews.


def change_instant(now: dt.datetime) -> dt.datetime:
    """The time of a change of the reviews that is made now, later than those of all before."""
    return _next(_latest("modified_at", now), now)


def publication_instants(
    days: Sequence[dt.date], now: dt.datetime, *, always_by_day: bool = False
) -> list[dt.datetime]:
    """When reviews of these days are published that appear here now, in this order.

    A recent review is published now. Any other (with `always_by_day` each) is published at midnight
    of its day in the business's time zone, or at the first second after it that no other one has.
    """
    time_zone = business_time_zone()
    today = now.astimezone(time_zone).date()
    instants, latest = [], None
    for day in days:
        if always_by_day or abs((today - day).days) > RECENT_DAYS:
            instants.append(midnight(day, time_zone))
        else:
            latest = _next(latest or _latest("published_at", now), now)
            instants.append(latest)
    return _distinct(instants)


def first_change(published_at: dt.datetime, changed_at: dt.datetime) -> dt.datetime:
    """The time of the change by which a review appears.

    It is never before `published_at`, unless the date of the review is yet to come.
    """
    is_to_come = published_at - changed_at > BELIEVED
    return changed_at if is_to_come else max(published_at, changed_at)


def midnight(day: dt.date, time_zone: ZoneInfo) -> dt.datetime:
    """When a day begins there, by an offset that RFC 3339 can express."""
    begin = dt.datetime.combine(day, dt.time(), time_zone)
    try:
        return begin.replace(tzinfo=_whole_minutes(begin)).astimezone(dt.UTC)
    except OverflowError:  # The first day of all begins there before the first year in UTC.
        return begin.replace(tzinfo=dt.UTC)


def in_zone(instant: dt.datetime, time_zone: ZoneInfo) -> dt.datetime:
    """The instant in local time, by an offset that RFC 3339 can express."""
    return instant.astimezone(_whole_minutes(instant.astimezone(time_zone)))


def business_time_zone() -> ZoneInfo:
    """The time zone of the business; UTC before there is one."""
    businesses = _rows("Business")
    return ZoneInfo(businesses.values_list("time_zone", flat=True).first() or "UTC")


def _whole_minutes(local: dt.datetime) -> dt.timezone:
    """The offset without its seconds, which times before standard time had."""
    minutes = (local.utcoffset() or dt.timedelta()) // dt.timedelta(minutes=1)
    return dt.timezone(dt.timedelta(minutes=minutes))


def _next(latest: dt.datetime | None, now: dt.datetime) -> dt.datetime:
    """The first whole second from now on that is later than `latest`.

    Where the seconds are a minute ahead of the clock, milliseconds follow.
    """
    at = now.replace(microsecond=0) + (SECOND if now.microsecond else dt.timedelta())
    if latest is None or latest < at:
        return at
    is_far_ahead = latest - at >= AHEAD
    return latest + MILLISECOND if is_far_ahead else latest.replace(microsecond=0) + SECOND


def _latest(field: str, now: dt.datetime) -> dt.datetime | None:
    believed = _rows("Review").filter(**{f"{field}__lte": now + BELIEVED})
    found: dt.datetime | None = believed.order_by(f"-{field}").values_list(field, flat=True).first()
    return found


def _distinct(instants: list[dt.datetime]) -> list[dt.datetime]:
    """Move each instant by seconds to one of its own."""
    taken: set[dt.datetime] = set()
    if instants:
        within = (min(instants), max(instants) + LOOKED_UP)
        stored = _rows("Review").filter(published_at__range=within)
        taken.update(stored.values_list("published_at", flat=True))
    following: dict[dt.datetime, dt.datetime] = {}  # Where to look next for the same instant.
    distinct = []
    for wanted in instants:
        instant = following.get(wanted, wanted)
        while instant in taken:
            instant += SECOND
        taken.add(instant)
        following[wanted] = instant
        distinct.append(instant)
    return distinct


def _rows(model: str) -> QuerySet[Model]:
    """All rows; by name, since the models import this module."""
    return QuerySet(apps.get_model("reviews", model))
