"""The nouns that words judge."""

import pytest

from review_analysis import heads
from review_analysis.segments import Source, sentences


def spoken_of(text, word):
    (words,) = sentences(Source(text))
    place = heads.spoken_of(words, words.words.index(word))
    if place < 0:
        return {heads.PRONOUN: "a pronoun", heads.UNKNOWN: None}[place]
    return words.words[place]


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("We had great food from the bar.", "great", "food"),
        ("A wonderful old dining room.", "wonderful", "room"),
        ("The soup on the tray was cold.", "cold", "soup"),
        ("The pasta was warm and delicious.", "delicious", "pasta"),
        ("We loved the attentive staff.", "loved", "staff"),
        ("There was a problem with the bill.", "problem", "bill"),
        ("It was delicious.", "delicious", "a pronoun"),
        ("Delicious!", "delicious", None),
        ("The soup was fine but the waiter was rude.", "rude", "waiter"),
    ],
)
def test_a_word_that_judges_speaks_of_its_noun_object_or_subject(text, word, expected):
    assert spoken_of(text, word) == expected
