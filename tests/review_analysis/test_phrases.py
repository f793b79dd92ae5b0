"""Candidates for an aspect's top phrases."""

import pytest

from review_analysis import Analyser
from review_analysis.taxonomies import builtin


def phrases_of(text, taxonomy="attraction"):
    reading = Analyser(builtin(taxonomy), []).read(text, 5)
    return {phrase.text for aspect in reading.aspects for phrase in aspect.phrases}


@pytest.mark.parametrize(
    "text",
    [
        "Staff at the gate were cheerful and quick.",
        "The people behind the snack bar were friendly.",
    ],
)
def test_object_of_a_preposition_is_no_subject_of_a_phrase(text):
    assert not any(
        phrase.startswith(("gate were", "snack bar were", "bar were"))
        for phrase in phrases_of(text)
    )


def test_part_of_a_whole_is_the_subject_of_a_phrase():
    assert "staff were friendly" in phrases_of("Most of the staff were friendly.")


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
def test_wishes_comparisons_and_words_without_a_side_make_no_phrase(text, taxonomy):
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
def test_words_that_tell_their_side_make_a_phrase(text, phrase):
    assert phrase in phrases_of(text)
