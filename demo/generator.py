"""Generate the demo's reviews, the same for the same arguments on every machine."""

import datetime as dt
from collections.abc import Iterator, Sequence

from demo.business import technicians
from demo.random import SeededRandom
from demo.review import DemoReview
from demo.writer import Writer

REVIEWS = 312
SEED = 20_230
# Fixed, so that the demo has the same bytes next year; `end` makes it recent.
END = dt.date(2026, 10, 31)
MONTHS = 36
# Busier summers and winters; the business grows.
SEASONS = (1.2, 1.0, 0.8, 0.7, 0.8, 1.1, 1.4, 1.4, 1.0, 0.8, 0.9, 1.2)


def span(end: dt.date = END) -> tuple[dt.date, dt.date]:
    """The first and the last day on which the reviews of a demo may be dated."""
    months = end.year * 12 + end.month - MONTHS
    return dt.date(months // 12, months % 12 + 1, 1), end


def generate(reviews: int = REVIEWS, seed: int = SEED, end: dt.date = END) -> Iterator[DemoReview]:
    """The reviews from the oldest to the newest. Holds the dates in memory, the rest as it goes."""
    rng = SeededRandom(seed)
    start, end = span(end)
    staff = technicians(start, end)
    months = _months(start)
    ordinals = sorted(_date(rng, months, end).toordinal() for _ in range(reviews))
    for number, ordinal in enumerate(ordinals):
        date = dt.date.fromordinal(ordinal)
        present = [person for person in staff if person.is_active(date)]
        yield Writer(rng, date, present, _month(start, date)).write(number, end)


def _month(start: dt.date, date: dt.date) -> int:
    return (date.year - start.year) * 12 + date.month - start.month


def _months(start: dt.date) -> list[tuple[str, float]]:
    """The first day of each month, and how busy it is."""
    first = start.year * 12 + start.month - 1
    return [
        (
            dt.date((first + month) // 12, (first + month) % 12 + 1, 1).isoformat(),
            SEASONS[(first + month) % 12] * (0.7 + month / MONTHS),
        )
        for month in range(MONTHS)
    ]


def _date(rng: SeededRandom, months: Sequence[tuple[str, float]], end: dt.date) -> dt.date:
    month = dt.date.fromisoformat(rng.weighted(months))
    last = min(end, (month + dt.timedelta(days=31)).replace(day=1) - dt.timedelta(days=1))
    return month + dt.timedelta(days=rng.below(last.day))
