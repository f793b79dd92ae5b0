"""Candidates for an aspect's top phrases."""

import pytest

from review_analysis import Analyser
from review_analysis.taxonomies import builtin

TAXONOMY = {
    "aspects": [
        {"id": "work", "label": "Work", "terms": ["work", "repair*", "job"]},
        {"id": "price", "label": "Price", "terms": ["price*", "bill"]},
        {"id": "staff", "label": "Staff", "terms": ["staff", "technician*", "crew"]},
    ],
}
ROSTER = [{"id": "dana", "name": "Dana Ruiz", "aliases": []}]


def phrases_of(text, taxonomy="attraction"):
    reading = Analyser(builtin(taxonomy), []).read(text, 5)
    return {phrase.text for aspect in reading.aspects for phrase in aspect.phrases}


@pytest.mark.parametrize(
    ("text", "taxonomy"),
    [
        ("I wish there were more shade.", "attraction"),
        ("I wish the staff were friendly.", "attraction"),
        ("If only the rides were great.", "attraction"),
        ("The park needs great rides.", "attraction"),
        ("The rides were more fun than elsewhere.", "attraction"),
        ("They have better rides elsewhere.", "attraction"),
        ("There are drinks available.", "attraction"),
        ("An early appointment takes weeks.", "clinic"),
        ("Muy puntual y amable servicio.", "home_services"),
    ],
)
def test_wishes_comparisons_and_neutral_words_are_no_phrases(text, taxonomy):
    assert phrases_of(text, taxonomy) == set()


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("The friendly staff took us to the gate.", "friendly staff"),
        ("They have great rides for all.", "great rides"),
        ("There was a lack of shade.", "lack of shade"),
        ("The kids loved the rides.", "kids loved"),
    ],
)
def test_words_with_polarity_make_a_phrase(text, phrase):
    assert phrase in phrases_of(text)


def test_top_phrase_is_spelt_as_in_the_text():
    reading = Analyser(TAXONOMY).read("A freindly  crew, and they cancelled the job three times.")

    shown = {phrase.text for aspect in reading.aspects for phrase in aspect.phrases}
    assert {"freindly crew", "cancelled the job"} <= shown


def test_top_phrase_holds_a_term_of_its_aspect():
    reading = Analyser(TAXONOMY).read("A great location and a friendly crew at a great price.", 5)

    shown = {aspect.id: [each.text for each in aspect.phrases] for aspect in reading.aspects}
    assert shown["staff"] == ["friendly crew"]
    assert not any("location" in text for texts in shown.values() for text in texts)


def test_phrases_with_same_words_in_other_order_share_key():
    texts = ["A friendly crew.", "The crew was very friendly.", "Such a really friendly crew!"]
    analyser = Analyser(TAXONOMY, ROSTER)

    keys = [{phrase.key for phrase in analyser.read(text, 5).aspects[0].phrases} for text in texts]

    assert set.intersection(*keys) == {"crew friend"}


@pytest.mark.parametrize(
    "text",
    [
        "There was never any terrible crew here.",
        "No horrible crew ever came to our house, they were great.",
        "We were never sent a rude crew.",
    ],
)
def test_top_phrase_has_polarity_of_review(text):
    (staff,) = Analyser(TAXONOMY, ROSTER).read(text, 5).aspects

    assert staff.label == "positive"
    shown = [{*phrase.text.lower().split()} for phrase in staff.phrases]
    assert all(not words.isdisjoint({"no", "never"}) for words in shown)
