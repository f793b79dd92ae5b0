import datetime as dt
from itertools import takewhile

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from reviews.search.fields import Position
from reviews.search.packed_rowids import (
    DAY_SHIFT,
    KEY_MASK,
    ON_POSTGRESQL,
    ON_SQLITE,
    STARS_BITS,
    end_of,
    key_of,
    page_among,
    stars_of,
    start_of,
)
from tests.factories import make_review

DAYS = st.dates()
KEYS = st.integers(1, KEY_MASK)
STARS = st.integers(1, 5)


def place_of(day, key, stars):
    return day.toordinal() << DAY_SHIFT | key << STARS_BITS | stars


@given(day=DAYS, key=KEYS, stars=STARS)
def test_a_place_tells_day_key_and_stars(day, key, stars):
    place = place_of(day, key, stars)

    assert start_of(day) < place < end_of(day)
    assert (key_of(place), stars_of(place)) == (key, stars)
    assert place < 2**63


@given(one=DAYS, other=DAYS)
def test_days_do_not_overlap(one, other):
    if one < other:
        assert end_of(one) <= start_of(other)


@pytest.mark.django_db
@pytest.mark.parametrize("day", ["0001-01-01", "1969-12-31", "2024-02-29", "9999-12-31"])
def test_the_database_gives_the_same_place(day):
    review = make_review(date=day, rating=4)
    sql = ON_SQLITE if connection.vendor == "sqlite" else ON_POSTGRESQL

    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql} FROM reviews_review r")
        (place,) = cursor.fetchone()

    assert place == place_of(dt.date.fromisoformat(day), review.pk, 4)


FEW_DAYS = st.dates(dt.date(2026, 1, 1), dt.date(2026, 1, 6))


@given(
    reviews=st.dictionaries(st.integers(1, 40), FEW_DAYS),
    after=st.none() | FEW_DAYS,
    size=st.integers(1, 12),
)
def test_the_page_is_among_the_rows_and_only_its_days_are_whole(reviews, after, size):
    places = sorted((place_of(day, key, 5) for key, day in reviews.items()), reverse=True)
    if after:
        places = [place for place in places if place < end_of(after)]
    position = Position(after, "") if after else None

    rows = page_among(((place, "more") for place in places), position, size)

    older = [place for place in places if not after or place < start_of(after)]
    oldest = 0 if len(older) < size else start_of_day(older[size - 1])
    assert rows == [(place, "more") for place in takewhile(lambda place: place >= oldest, places)]


def start_of_day(place):
    return place >> DAY_SHIFT << DAY_SHIFT


def test_no_more_places_are_taken_than_the_page_needs():
    newest_first = iter([(place_of(dt.date(2026, 1, day), day, 5),) for day in (9, 8, 7, 6, 5)])

    assert [key_of(place) for (place,) in page_among(newest_first, None, 2)] == [9, 8]
    assert len(list(newest_first)) == 2
