"""Times of a review: when it was published here, and when its published form last changed.

Feed readers and copies compare these times, often by whole seconds. Each change therefore has a
later second than the previous one, and no two reviews share a time of publication.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.apps import apps
from django.db.models import QuerySet

RECENT_DAYS = 7
SECOND = dt.timedelta(seconds=1)
MILLISECOND = dt.timedelta(milliseconds=1)
# How far the times of quick changes run ahead of the clock by whole seconds.
MAX_AHEAD = dt.timedelta(minutes=1)
# Stored times further ahead come from a wrong clock or a demo in the future, and are ignored.
MAX_CLOCK_ERROR = dt.timedelta(days=1)
LOOKED_UP = dt.timedelta(days=7)  # More seconds than one day has reviews.


def change_instant(now: dt.datetime) -> dt.datetime:
    """Time of a change that is made now, later than all previous changes."""
    return _next(_latest("modified_at", now), now)


def publication_instants(
    days: Sequence[dt.date], now: dt.datetime, *, always_by_day: bool = False
) -> list[dt.datetime]:
    """Times of publication, in order, for reviews of these days that appear here now.

    A review of the last days is published now. Any other one (with `always_by_day` each) is
    published at midnight of its day in the business's time zone, or at the first free second after.
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
    """Time of a new review's first change.

    It is not earlier than `published_at`, unless the review is dated in the future.
    """
    is_future = published_at - changed_at > MAX_CLOCK_ERROR
    return changed_at if is_future else max(published_at, changed_at)


def midnight(day: dt.date, time_zone: ZoneInfo) -> dt.datetime:
    """Begin of a day in a time zone, in UTC."""
    begin = dt.datetime.combine(day, dt.time(), time_zone)
    try:
        return begin.replace(tzinfo=_whole_minutes(begin)).astimezone(dt.UTC)
    except OverflowError:  # Day 1 of year 1, east of Greenwich.
        return begin.replace(tzinfo=dt.UTC)


def in_zone(instant: dt.datetime, time_zone: ZoneInfo) -> dt.datetime:
    """Convert an instant to local time, with an offset that RFC 3339 can express."""
    return instant.astimezone(_whole_minutes(instant.astimezone(time_zone)))


def business_time_zone() -> ZoneInfo:
    """Time zone of the business; UTC in a new installation."""
    business = _rows("Business").only("time_zone").first()
    return business.zone if business else ZoneInfo("UTC")


def _whole_minutes(local: dt.datetime) -> dt.timezone:
    """Offset in whole minutes; local mean times, before standard time, have seconds."""
    minutes = (local.utcoffset() or dt.timedelta()) // dt.timedelta(minutes=1)
    return dt.timezone(dt.timedelta(minutes=minutes))


def _next(latest: dt.datetime | None, now: dt.datetime) -> dt.datetime:
    """First whole second from now on that is later than `latest`.

    If `latest` is a minute ahead of the clock, add milliseconds instead of seconds.
    """
    at = now.replace(microsecond=0) + (SECOND if now.microsecond else dt.timedelta())
    if latest is None or latest < at:
        return at
    is_far_ahead = latest - at >= MAX_AHEAD
    return latest + MILLISECOND if is_far_ahead else latest.replace(microsecond=0) + SECOND


def _latest(field: str, now: dt.datetime) -> dt.datetime | None:
    plausible = _rows("Review").filter(**{f"{field}__lte": now + MAX_CLOCK_ERROR})
    found: dt.datetime | None = (
        plausible.order_by(f"-{field}").values_list(field, flat=True).first()
    )
    return found


def _distinct(instants: list[dt.datetime]) -> list[dt.datetime]:
    """Move instants by seconds, so that they differ from each other and from stored ones."""
    taken: set[dt.datetime] = set()
    if instants:
        within = (min(instants), max(instants) + LOOKED_UP)
        stored = _rows("Review").filter(published_at__range=within)
        taken.update(stored.values_list("published_at", flat=True))
    following: dict[dt.datetime, dt.datetime] = {}  # Where to continue for an equal instant.
    distinct = []
    for wanted in instants:
        instant = following.get(wanted, wanted)
        while instant in taken:
            instant += SECOND
        taken.add(instant)
        following[wanted] = instant
        distinct.append(instant)
    return distinct


def _rows(model: str) -> QuerySet[Any]:
    """All rows of a model by its name, since the models import this module."""
    return QuerySet(apps.get_model("reviews", model))
