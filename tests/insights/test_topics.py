from dataclasses import replace

import pytest

from insights.aggregate import Aggregate, Names
from insights.topics import NounCounts, discover
from tests.insights.prose.corpus import record, said

NAMES = Names(
    aspects={"price": "Price"},
    technicians={"mark-dunn": "Mark Dunn"},
    services={"ac-repair": "AC repair"},
    areas={"mill-reach": "Mill Reach"},
)
FILLERS = (
    "They came in the morning and left at noon.",
    "It was all done by the time we were back.",
    "We would call them again for this.",
    "It was in the drawer and then it was on the shelf.",
)
GIFT = "We bought it with a lovely gift card for my sister."


def found(records, *, taken=(), names=NAMES, business_name=""):
    nouns, sums = NounCounts(), Aggregate(names)
    for each in records:
        nouns.add(each)
        sums.add(each)
    return discover(nouns, sums, taken, business_name)


def corpus(*texts, **members):
    """Return a review for each text, among sixty others."""
    others = [record(100 + number, said(FILLERS[number % 4], 0.1)) for number in range(60)]
    return [record(number, said(text, **members)) for number, text in enumerate(texts)] + others


def test_word_pairs_of_several_reviews_are_a_theme():
    records = corpus(
        *[GIFT] * 3, "They sold us gift cards at the desk.", "A Gift Card paid for all of it."
    )

    [theme] = found(records)

    assert (theme.id, theme.subject.label) == ("gift-card", "Gift card")
    assert theme.keywords == ("gift card", "gift cards")
    assert sorted(theme.review_ids) == [each.ulid for each in records[:5]]


def test_theme_quotes_matching_sentence():
    records = corpus(*[GIFT] * 6)
    records[1] = record(1, said("All was well.", 0.9), said("Our gift card was lost.", -0.8))

    [theme] = found(records)
    opinion = next(
        said.opinion for said in theme.subject.derived.newest if said.ulid == records[1].ulid
    )

    assert records[1].words(opinion.quote) == "Our gift card was lost."
    assert (opinion.id, opinion.label, opinion.score) == ("gift-card", "negative", -800)


@pytest.mark.parametrize(
    "texts",
    [
        [GIFT, GIFT],  # Two reviews are not a theme.
        [" ".join([GIFT] * 9)],  # Nor is one review that repeats it.
        ["We met Mark Dunn at the gate."] * 6,
        ["Our house is at Mill Reach by the sea."] * 6,
        ["We met Jolanta Kowalska at the gate."] * 6,  # A name that is not on the roster.
        ["It was a great job by the crew."] * 6,
        ["See <img src=x> for the <img src=y> of it."] * 6,
        ["Muy bon travail de l'equipe gift card."] * 6,
        ["We gave a gift, card in hand and all."] * 6,
    ],
)
def test_names_praise_markup_and_single_reviews_are_no_themes(texts):
    assert found(corpus(*texts)) == []


@pytest.mark.parametrize("known", ["gift-card", "gift_card"])
def test_theme_in_taxonomy_is_not_found_again(known):
    records = corpus(*[GIFT] * 6)

    assert found(records, taken={known}) == []


@pytest.mark.parametrize(
    ("more", "themes"), [(0, ["coffee-counter"]), (1, ["gift-card", "coffee-counter"])]
)
def test_themes_sharing_half_of_reviews_are_merged(more, themes):
    counter = "We waited for it at the coffee counter."
    both = "We paid with a gift card at the coffee counter."
    apart = ["The card was in the drawer.", "The counter was in the hall."] * 10

    records = corpus(both, both, *[GIFT] * (2 + more), counter, counter, *apart)

    assert [theme.id for theme in found(records)] == themes


@pytest.mark.parametrize(
    ("texts", "business_name", "why"),
    [
        (["The nice roof space is new."] * 8, "Roof and Sons", "a part of its name"),
        (["The parking garage was shut."] * 8, "", "the taxonomy has it"),
        (["Nice young family parents came."] * 8, "", "they are customers"),
        (["This fun park is great."] * 8, "", "it is the business"),
    ],
)
def test_other_pairs_of_many_reviews_are_no_themes(texts, business_name, why):
    names = replace(NAMES, terms=frozenset({"parking garage"}))
    assert found(corpus(*texts), names=names, business_name=business_name) == [], why


def test_plurals_and_hyphens_of_theme_are_merged():
    texts = ["The season pass is great."] * 3 + ["The season-passes are great."] * 2

    [theme] = found(corpus(*texts))

    assert (theme.id, theme.subject.label) == ("season-pass", "Season pass")
    assert theme.keywords == ("season pass", "season passes")
    assert len(theme.review_ids) == len(texts)
