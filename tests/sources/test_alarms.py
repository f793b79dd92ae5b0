"""Alarms of sources that fail, have stopped, or have no new reviews for too long."""

import datetime as dt

import orjson
from django.utils import timezone

from sources import services
from sources.selectors import alarms
from tests.sources.rows import entry, make_url_connection
from tests.sources.servers import Reply, in_sequence


def codes() -> list[str]:
    return [alarm.code for alarm in alarms()]


def every(days: int, count: int, *, until: dt.date) -> bytes:
    """Return reviews that are so many days apart."""
    dates = [until - dt.timedelta(days=days * number) for number in range(count)]
    return orjson.dumps([entry(i, date=day.isoformat()) for i, day in enumerate(dates)])


def test_failing_source_has_alarm_until_next_success(maker, fetch_due, clock):
    make_url_connection(maker)
    good = every(3, 3, until=timezone.now().date())
    maker.reply = in_sequence(Reply(status=500), Reply(good))
    fetch_due()
    assert codes() == []

    clock.shift(dt.timedelta(days=1))

    (alarm,) = alarms()
    assert (alarm.code, "HTTP 500" in alarm.sentence) == ("failing", True)
    fetch_due()
    assert codes() == []


def test_stopped_source_has_alarm_until_paused(maker, fetch_due):
    connection = make_url_connection(maker)
    maker.reply = Reply(status=401)

    fetch_due()

    assert codes() == ["stopped"]
    services.pause(connection)
    assert codes() == []


def test_silence_of_four_usual_gaps_raises_alarm(maker, fetch_due, clock):
    make_url_connection(maker)
    maker.reply = Reply(every(3, 8, until=timezone.now().date()))
    fetch_due()

    clock.shift(dt.timedelta(days=11))
    assert codes() == []
    clock.shift(dt.timedelta(days=2))

    (alarm,) = alarms()
    assert alarm.code == "silent"
    assert "usually one arrives within 3 days" in alarm.sentence
