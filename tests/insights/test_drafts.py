"""Drafts of a language model that add nothing to their text."""

import pytest

from insights.drafts import unsupported_claims

AUTOMATIC = (
    "Tern Hollow has 312 reviews from March 2024 to May 2026. Reviewers give 4.23 stars on"
    " average; of all reviews, 82.1% are positive and 17.9% negative. The strongest point is AC"
    " repair, where 76 of 88 reviews are positive. Ana Reyes is praised in 12 of 15 reviews."
)


@pytest.mark.parametrize(
    "draft",
    [
        "Across 312 reviews, Tern Hollow earns 4.23 stars.",
        "Customers praise AC repair: 76 of 88 reviews are positive. Ana Reyes is praised in 12.",
        "Overall 82.1% are positive (17.9% negative). From March 2024 to May 2026.",
        "Positive in 76 of 88 reviews!",
        "Of all reviews, 82.1 percent are positive and 17.9 per cent negative.",
    ],
)
def test_what_the_text_tells_may_be_told_otherwise(draft):
    assert unsupported_claims(draft, AUTOMATIC) == []


@pytest.mark.parametrize(
    ("draft", "word"),
    [
        ("Their best side is AC repair.", "best"),
        ("AC repair is praised most.", "most"),
        ("Their weakest side is the price.", "weakest"),
        ("Reviewers are divided about AC repair.", "divided"),
    ],
)
def test_a_comparison_of_its_own_is_doubtful(draft, word):
    assert f"The automatic text does not say “{word}”." in unsupported_claims(draft, AUTOMATIC)


def test_a_comparison_that_the_text_makes_may_be_kept():
    assert unsupported_claims("The strongest point is AC repair.", AUTOMATIC) == []


@pytest.mark.parametrize(
    ("draft", "unknown"),
    [
        ("They have 313 reviews.", "number 313"),
        ("They earn 4.2 stars.", "number 4.2"),
        ("Call them 24/7.", "number 7"),
        ("Three in four are happy.", "number Three"),
        ("Their reviews are ninety percent positive.", "number ninety"),
        ("They have about fifteen reviews.", "number fifteen"),
        ("They have over a million reviews.", "number million"),
        ("They had zero complaints.", "number zero"),
        ("Of the reviews a fifth are negative.", "number fifth"),
        ("Their reviews are 76% positive.", "number 76%"),
        ("They earn 82.1 stars.", "number 82.1"),
        ("Their reviews double each year.", "number double"),
        ("The work of Marcus is praised.", "name Marcus"),
        ("Praised is Ana Smith.", "name Smith"),
        ("Zoltan is praised.", "name Zoltan"),
        ("The best in California.", "name California"),
        ("From March to June.", "name June"),
    ],
)
def test_a_number_or_a_name_of_its_own_is_doubtful(draft, unknown):
    assert f"The automatic text does not tell the {unknown}." in unsupported_claims(
        draft, AUTOMATIC
    )


@pytest.mark.parametrize(
    "draft",
    [
        "",
        "no sentence",
        "Good <b>work</b>.",
        "They said “never again”.",
        "See www.example.com for more.",
        "Good work. Good \u0440rice.",
    ],
)
def test_what_is_no_plain_text_is_doubtful(draft):
    assert len(unsupported_claims(draft, AUTOMATIC)) == 1
