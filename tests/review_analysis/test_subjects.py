"""Clauses about others than this business."""

import pytest

from review_analysis import analyse
from review_analysis.taxonomies import builtin


def aspects(vertical, text):
    found = analyse(text, None, builtin(vertical), [])["aspects"]
    return {aspect["id"] for aspect in found}


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("home_services", "A tree came through the roof."),
        ("home_services", "Our insurance company denied the claim."),
        ("law_firm", "The other driver lied."),
        ("generic", "Other companies charge twice as much."),
        ("generic", "Another company was rude and late."),
        ("auto_repair", "I'm a woman who knows nothing about cars."),
        ("auto_repair", "I didn't know what I was going to do."),
    ],
)
def test_aspect_of_others_is_ignored(vertical, text):
    assert aspects(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text", "found"),
    [
        ("home_services", "When two other firms gave up, Josh found the problem.", {"knowledge"}),
        ("clinic", "My son was treated by a friendly nurse.", {"staff"}),
        ("clinic", "My insurance was billed for a visit I never had.", {"billing"}),
        ("attraction", "My kids had a blast.", {"families"}),
        ("home_services", "I had to explain the basics to them.", {"knowledge"}),
        ("auto_repair", "He is a liar.", {"honesty"}),
        ("auto_repair", "I had to wait an hour.", {"speed"}),
        ("home_services", "I found a plumber I can trust.", {"honesty"}),
        ("home_services", "We have had no problems since.", {"workmanship"}),
    ],
)
def test_aspect_beside_others_counts(vertical, text, found):
    assert aspects(vertical, text) == found
