"""Stars, as exports write them."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.importing.values import ratings
from reviews.importing.values.refusals import ValueRefused
from tests.reviews.importing.values.refusing import refused


@pytest.mark.parametrize(
    ("spelling", "stars"),
    [
        (1, 1),
        (5, 5),
        (4.0, 4),
        ("5", 5),
        (" 3 ", 3),
        ("5.0", 5),
        ("4,0", 4),
        ("ONE", 1),
        ("five", 5),
        ("Three", 3),
        ("4/5", 4),
        ("8/10", 4),
        ("9/10", 5),
        ("7/10", 4),
        ("1/10", 1),
        ("80/100", 4),
        ("4 out of 5", 4),
        ("4,0 von 5", 4),
        ("80%", 4),
        ("80 %", 4),
        ("90%", 5),
        ("★★★★★", 5),
        ("★★★☆☆", 3),
        ("⭐⭐⭐⭐", 4),
        ("⭐️⭐️", 2),
        ("****", 4),
        ("5 stars", 5),
        ("5 star(s)", 5),
        ("1 star", 1),
        ("5.0 star rating", 5),
        ("4-star", 4),
        ("Five stars", 5),
        ("FIVE_STARS", 5),
        ("one star", 1),
        ("4 ★", 4),
        ("★ 4", 4),
        ("⭐️4.0", 4),
        ("4*", 4),
        ("\u200b5\u200e", 5),
        ("5⭐️", 5),
        ("5 Sterne", 5),
        ("4 out of 5 stars", 4),
        ("4 of 5 bubbles", 4),
        ("Rated 4.0 out of 5", 4),
        ("Average rating: 4 out of 5 stars", 4),
        ("Recommended", 5),
        ("Not Recommended", 1),
        ("doesn\u2019t recommend", 1),
    ],
)
def test_rating_in_every_spelling(spelling, stars):
    assert ratings.read_rating(spelling) == stars


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        (0, "rating_out_of_range"),
        (6, "rating_out_of_range"),
        (-1, "rating_out_of_range"),
        (10**400, "rating_out_of_range"),
        ("0", "rating_out_of_range"),
        ("6", "rating_out_of_range"),
        ("-2", "rating_out_of_range"),
        ("0/10", "rating_out_of_range"),
        ("11/10", "rating_out_of_range"),
        ("110%", "rating_out_of_range"),
        ("☆☆☆☆☆", "rating_out_of_range"),
        ("★★★★★★", "rating_out_of_range"),
        ("4.5", "rating_not_whole"),
        ("4,5", "rating_not_whole"),
        ("4.5/5", "rating_not_whole"),
        ("★★★★½", "rating_not_whole"),
        (4.5, "rating_not_whole"),
        ("9.5", "rating_out_of_range"),
        ("4.0001", "rating_not_whole"),
        ("excellent", "rating_unreadable"),
        ("STAR_RATING_UNSPECIFIED", "rating_unreadable"),
        ("5/0", "rating_unreadable"),
        ("5 or 4", "rating_unreadable"),
        ("5" * 500, "rating_unreadable"),
        ("\u0665", "rating_unreadable"),
        (float("nan"), "rating_unreadable"),
        (float("inf"), "rating_unreadable"),
        (True, "rating_unreadable"),
        ([5], "rating_unreadable"),
        ({"value": 5}, "rating_unreadable"),
    ],
)
def test_rating_that_could_mean_anything_is_refused(spelling, code):
    assert refused(ratings.read_rating, spelling) == code


def test_half_stars_round_up_only_when_asked():
    assert ratings.read_rating("4.5", round_half_up=True) == 5
    assert ratings.read_rating("4,4", round_half_up=True) == 4
    assert ratings.read_rating(2.5, round_half_up=True) == 3
    assert refused(ratings.read_rating, "0.4", round_half_up=True) == "rating_out_of_range"


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
def test_rating_on_the_scale_that_the_file_names(value, best, stars):
    assert ratings.read_rating(value, best=best) == stars


@given(st.integers(1, 5), st.integers(1, 200))
def test_any_scale_gives_the_share_of_five_rounded_half_up(stars, factor):
    assert ratings.read_rating(f"{stars * factor}/{5 * factor}") == stars


@given(st.text(max_size=30))
def test_a_rating_is_one_to_five_or_refused(text):
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
