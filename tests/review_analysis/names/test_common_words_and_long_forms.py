"""Common words in small letters, towns, celebrities and long forms of names."""

import pytest

from review_analysis.name_matching import Roster, TechnicianEntry

TEAM = Roster(
    TechnicianEntry(name.split()[0].lower(), name)
    for name in (
        *("Rich Vega", "Max Stein", "Bill Tran", "Victoria Hale", "Austin Reed", "Rob Santos"),
        *("Mike Sloan", "Liz Orr", "Grace Kim", "Frank Moss", "Gordon Pace", "Taylor Quinn"),
        *("Ben Ito", "Jack Ames", "Carrier Jones", "Ray Ortiz"),
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "A team with rich experience in tiling.",
        "With rich experience, they knew what to do.",
        "They tried to max out my insurance.",
        "they ran the card to max",
        "They refused to bill insurance.",
        "Victoria is a lovely city.",
        "They wanted to bill me twice.",
        "they will bill the insurance",
        "Rich flavors and generous plates.",
        "Bill was higher than the quote.",
        "Max two people per room.",
        "We are from Victoria and loved it.",
        "An hour from Austin, and worth the drive.",
        "Bought it at Victoria's Secret.",
        "Taylor Swift played on the radio.",
        "Gordon Ramsay would be proud.",
        "Frank Sinatra on the speakers.",
        "They fitted a Carrier unit.",
        "Ben & Jerry's for dessert.",
        "Ray-Ban glasses in the shop.",
        "Great job!\n- Rob",
        "Would use them again. Regards, Frank",
        "Robert Smith is my neighbor.",
    ],
)
def test_common_words_towns_brands_celebrities_and_signatures_name_nobody(text):
    assert TEAM.find(text) == []


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("We had great help from Victoria.", "victoria"),
        ("Excellent communication from Victoria throughout.", "victoria"),
        ("Kind words from Austin made my day.", "austin"),
        ("Victoria dealt with our lost phone.", "victoria"),
        ("Bill dealt with the claim.", "bill"),
        ("Quick reply from Rich.", "rich"),
        ("we had max here today", "max"),
        ("give a raise to max", "max"),
        ("thanks to bill", "bill"),
        ("Maximilian was quick.", "max"),
        ("Robert fixed the pump.", "rob"),
        ("Michael Sloan was on time.", "mike"),
        ("Elizabeth was kind.", "liz"),
    ],
)
def test_people_are_named_after_from_by_their_deeds_and_by_long_forms(text, slug):
    assert [found.slug for found in TEAM.find(text)] == [slug]
