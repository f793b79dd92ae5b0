import contextlib
import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.values import ValueRefused, ratings
from tests.review_exports.values.spellings import assert_refused, parametrize_spellings


@pytest.mark.parametrize(
    ("spelling", "stars"),
    [
        *parametrize_spellings("stars"),
        (1, 1),
        (5, 5),
        (4.0, 4),
    ],
)
def test_rating_in_every_spelling(spelling, stars):
    assert ratings.read_rating(spelling) == stars


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        *parametrize_spellings("refused_stars"),
        (0, "rating_out_of_range"),
        (6, "rating_out_of_range"),
        (-1, "rating_out_of_range"),
        (10**400, "rating_out_of_range"),
        (4.5, "rating_not_whole"),
        ("5" * 500, "rating_unreadable"),
        (float("nan"), "rating_unreadable"),
        (float("inf"), "rating_unreadable"),
        (True, "rating_unreadable"),
        ([5], "rating_unreadable"),
        ({"value": 5}, "rating_unreadable"),
    ],
)
def test_ambiguous_rating_is_refused(spelling, code):
    assert assert_refused(ratings.read_rating, spelling) == code


def test_half_stars_round_up_only_by_option():
    assert ratings.read_rating("4.5", round_half_up=True) == 5
    assert ratings.read_rating("4,4", round_half_up=True) == 4
    assert ratings.read_rating(2.5, round_half_up=True) == 3
    assert assert_refused(ratings.read_rating, "0.4", round_half_up=True) == "rating_out_of_range"


@pytest.mark.parametrize(
    ("value", "best", "stars"),
    [
        ("8", "10", 4),
        (8, 10, 4),
        ("9", 10.0, 5),
        (5, "5", 5),
        (5, None, 5),
        (100, 100, 5),
        ("9", "1-10", 5),
        (6, "10 points", 3),
        (2, "NPS", 1),
        (4, "stars", 4),
    ],
)
def test_rating_on_scale_of_file(value, best, stars):
    assert ratings.read_rating(value, best=best) == stars


@given(st.integers(1, 5), st.integers(1, 200))
def test_any_scale_is_converted_to_five_stars(stars, factor):
    assert ratings.read_rating(f"{stars * factor}/{5 * factor}") == stars


@given(st.text(max_size=30))
def test_rating_is_one_to_five_or_refused(text):
    with contextlib.suppress(ValueRefused):
        assert ratings.read_rating(text) in {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("heading", "named"),
    [
        ("Rating (1-10)", ("Rating", 10)),
        ("Rating (1 to 5 stars)", ("Rating", 5)),
        ("Overall rating (out of 10)", ("Overall rating", 10)),
        ("Note sur 20", ("Note", 20)),
        ("Note /10", ("Note", 10)),
        ("Sterne [1 bis 5]", ("Sterne", 5)),
        ("Puntuación (de 1 a 10)", ("Puntuación", 10)),
        (
            "How likely are you to recommend us (0-10)?",
            ("How likely are you to recommend us?", 10),
        ),
        ("Rating", ("Rating", None)),
        ("Rating 10", ("Rating 10", None)),
        ("Date (2015-10-05)", ("Date (2015-10-05)", None)),
    ],
)
def test_heading_may_name_a_scale(heading, named):
    assert ratings.named_scale(heading) == named


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("10", 10),
        (10.0, 10),
        ("9,5", Decimal("9.5")),
        ("10 - Extremely likely", 10),
        ("\uff11\uff10", 10),
        ("10/10", None),
        ("80%", None),
        ("ten", None),
        (None, None),
    ],
)
def test_plain_number_names_no_scale(value, number):
    assert ratings.plain_number(value) == number


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (dt.datetime(2024, 4, 5), "Excel turned 4/5 into the date 5 April"),  # noqa: DTZ001
        (dt.date(2024, 5, 4), "Excel turned 4/5 into the date 4 May"),
        (dt.date(2024, 5, 5), "Excel turned 5/5 into the date 5 May"),
        (dt.date(2024, 8, 10), "Excel turned 8/10 into the date 10 August"),
        (dt.date(2024, 7, 22), "the date 22 July stands where"),
        (dt.datetime(1900, 1, 5), "shows 5 as 5 January 1900"),  # noqa: DTZ001
        ("5-Apr", "turned 4/5 into the date 5 April"),
        ("04. Mai", "turned 4/5 into the date 4 May"),
        ("2024-04-05 00:00:00", "turned 4/5 into the date 5 April"),
    ],
)
def test_rating_converted_to_date_is_reported(value, sentence):
    with pytest.raises(ValueRefused) as caught:
        ratings.read_rating(value)

    assert caught.value.code == "rating_unreadable"
    assert sentence in caught.value.message
    assert "Give the column the format" in caught.value.message
    assert "00:00" not in caught.value.value
