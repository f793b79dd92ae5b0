"""Corrections of an administrator win over the analyser's findings."""

from types import SimpleNamespace

import pytest

from insights.editorial import corrected
from insights.findings import Findings, Opinion


def findings():
    return Findings(
        True,
        "positive",
        600,
        aspects=(Opinion("manner", "positive", 700), Opinion("price", "positive", 400)),
        problems=(Opinion("no_show", "negative", -900),),
    )


def after(path, value):
    return corrected(findings(), [SimpleNamespace(path=path, value=value)])


def test_a_corrected_sentiment_is_certain():
    negative = after("sentiment", "negative")

    assert (negative.label, negative.score) == ("negative", -1000)
    assert after("sentiment", "positive") == findings()  # Agreeing changes nothing.


@pytest.mark.parametrize(
    ("value", "opinions"),
    [
        ("negative", [("manner", "positive", 700), ("price", "negative", -1000)]),
        ("neutral", [("manner", "positive", 700), ("price", "neutral", 0)]),
        ("absent", [("manner", "positive", 700)]),
    ],
)
def test_an_aspect_is_judged_otherwise_or_taken_out(value, opinions):
    aspects = after("aspects.price", value).aspects

    assert [(each.id, each.label, each.score) for each in aspects] == opinions


def test_what_was_missed_is_put_in_its_place():
    aspects = after("aspects.order", "negative").aspects
    topics = after("topics.winter", "present").topics

    assert [each.id for each in aspects] == ["manner", "order", "price"]
    assert topics == (Opinion("winter", "positive", 600),)  # As the review as a whole.


def test_a_problem_can_be_said_to_be_resolved():
    assert after("problems.no_show", "resolved").problems[0].resolved
    assert not after("problems.no_show", "present").problems[0].resolved
    assert after("problems.no_show", "absent").problems == ()
