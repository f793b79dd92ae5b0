"""Opinions on things that are less, lacking, taken away, or were there before the work."""

import pytest

from review_analysis import analyse
from review_analysis.taxonomies import builtin
from tests.review_analysis.test_valence import total


def label(kind, text, aspect, stars=None):
    """Label of the one mention of an aspect."""
    aspects = {a["id"]: a["mentions"] for a in analyse(text, stars, builtin(kind), [])["aspects"]}
    (found,) = {mention["label"] for mention in aspects[aspect]}
    return found


@pytest.mark.parametrize(
    ("kind", "text", "aspect", "expected"),
    [
        ("attraction", "Go on a weekday when it is less crowded.", "queues", "positive"),
        ("attraction", "Lines were less after noon.", "queues", "positive"),
        ("attraction", "There are fewer queues in the morning.", "queues", "positive"),
        ("attraction", "We did not have to queue for ages.", "queues", "positive"),
        ("attraction", "They never made us feel rushed.", "staff", "positive"),
        ("attraction", "There is a lack of shade.", "grounds", "negative"),
        ("attraction", "The food was less than fresh.", "food", "negative"),
        ("clinic", "He doesn't make you feel hurried.", "bedside_manner", "positive"),
        ("clinic", "He makes you feel rushed.", "bedside_manner", "negative"),
        ("clinic", "There was less waiting time than I feared.", "wait_time", "positive"),
        ("home_services", "The lack of integrity is astonishing.", "honesty", "negative"),
        ("home_services", "A complete absence of courtesy.", "professionalism", "negative"),
        ("home_services", "They removed all the old debris.", "cleanliness", "positive"),
        ("home_services", "They never removed the old debris.", "cleanliness", "negative"),
        ("home_services", "The filthy carpets were hauled away.", "cleanliness", "positive"),
        ("home_services", "The wiring was dangerous before they fixed it.", "safety", "positive"),
        ("home_services", "The air was dangerous to breathe before.", "safety", "positive"),
        (
            "senior_living",
            "Her necklace and her watch gone. Hearing aids gone.",
            "care",
            "negative",
        ),
        ("home_services", "There were no surprises.", "price", "positive"),
        ("restaurant", "The room was less noisy than most.", "ambience", "positive"),
        ("restaurant", "The food was dull and less tasty.", "food", "negative"),
    ],
)
def test_mention_of_what_is_absent_means_the_opposite(kind, text, aspect, expected):
    assert label(kind, text, aspect) == expected


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("the lack of noise was good", 1),
        ("there was no lack of courtesy", 1),
        ("no less helpful than before", 1),
        ("the crew could not have been less helpful", -1),
        ("much less reliable work", -1),
        ("they got rid of the rotten boards", 1),
        ("they failed to remove the rotten boards", -1),
        ("before they came out the water tasted terrible", 1),
        ("the technician was rude before I could explain", -1),
        ("they were rude before", -1),
        ("steer clear of the big companies, they are honest", 1),
        ("steer clear of this company", -1),
        ("I did have to wait and it was terrible", -1),
        ("others said that the queues were terrible but we walked on", 1),
    ],
)
def test_sentence_on_what_is_absent_is_weighed_the_other_way(text, sign):
    assert total(text) * sign > 0


def test_time_of_building_is_no_lateness():
    found = analyse("Our late 1970s house has new pipes.", 5, builtin("home_services"), [])
    assert "punctuality" not in [aspect["id"] for aspect in found["aspects"]]


def test_best_that_could_be_made_is_no_honesty():
    found = analyse("The best choice we could have made.", 5, builtin("home_services"), [])
    assert "honesty" not in [aspect["id"] for aspect in found["aspects"]]
