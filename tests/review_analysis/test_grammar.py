"""Parts of speech, where lists and endings alone do not tell them."""

import pytest

from review_analysis import grammar


def part(text, word):
    words = text.split()
    return grammar.tags(words)[words.index(word)]


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("the technician forgot the part", "forgot"),
        ("the manager lied to us", "lied"),
        ("the company owed me a refund", "owed"),
        ("my lawyer dealt with everything", "dealt"),
        ("the office lost my file", "lost"),
        ("the delay cost us a day", "cost"),
        ("the movers damaged the door", "damaged"),
        ("the hotel upset my mother", "upset"),
        ("the office texts me the day before", "texts"),
    ],
)
def test_past_forms_and_words_with_an_object_are_verbs(text, verb):
    assert part(text, verb) == "V"


@pytest.mark.parametrize(
    ("text", "word", "tag"),
    [
        ("a lost file", "lost", "A"),
        ("i was lost the whole time", "lost", "A"),
        ("we were disappointed the first time", "disappointed", "A"),
        ("the cut my stylist gave me", "cut", "n"),
        ("a shed with a bed", "shed", "n"),
        ("the low cost", "cost", "n"),
        ("the price for them", "price", "n"),
    ],
)
def test_the_same_forms_without_an_object_are_no_verbs(text, word, tag):
    assert part(text, word) == tag
