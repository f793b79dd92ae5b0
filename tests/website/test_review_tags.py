"""Template tags format a review's values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from website.interfaces import interfaces
from website.templatetags.review_tags import (
    in_words,
    initials,
    percent_of,
    stars,
    tint,
    web_address,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("author", "letters"),
    [
        ("Dana R.", "DR"),
        ("Ben van der Berg", "BB"),
        ("zoë", "Z"),
        ("<img src=x>", "IS"),
        ("😀 👍", ""),
        ("", ""),
        ("(Maya) Okafor", "MO"),
    ],
)
def test_initials_stand_in_for_a_picture(author, letters):
    assert initials(author) == letters


@given(st.text(max_size=300))
def test_every_author_has_initials_and_a_tint(author):
    assert len(initials(author)) <= 4
    assert 0 <= tint(author) < 6


@given(st.text(max_size=100))
def test_only_http_addresses_are_followed(url):
    assert web_address(url) in {"", url}
    assert not web_address(url) or url.lower().startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("rating", "width"), [(0, "0.0"), (4.62, "92.4"), (5, "100.0"), (9, "100.0")]
)
def test_stars_are_drawn_as_wide_as_the_rating(rating, width):
    assert stars(rating)["width"] == width


def test_a_share_of_nothing_is_nothing():
    assert percent_of(0, 0) == "0"


@pytest.mark.parametrize(
    ("p_value", "words"),
    [(0.0, "p < 0.001,"), (0.0009, "p < 0.001,"), (0.001, "p = 0.001,"), (0.0321, "p = 0.032,")],
)
def test_a_chance_of_next_to_nothing_is_not_said_to_be_nothing(p_value, words):
    trend = {"direction": "declining", "change": -0.3, "p_value": p_value}

    assert words in in_words(trend | {"review_count": 180, "window_months": 24})


def test_commands_can_be_pasted_into_a_shell():
    for interface in interfaces("https://reviews.example", "2026-03-14"):
        for command in interface["commands"]:
            assert command.startswith("curl ")
            assert "\n" not in command
            assert "&" not in command or "'" in command


def test_browsers_find_an_icon_where_they_look_for_one(client):
    assert client.get("/favicon.ico")["Location"] == "/static/website/icon.svg"
    assert client.post("/favicon.ico").status_code == 405
