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
