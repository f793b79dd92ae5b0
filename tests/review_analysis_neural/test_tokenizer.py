"""Tokens, and those of a target."""

import pytest

from review_analysis_neural.tokenizer import Tokenizer
from tests.review_analysis_neural.networks import VOCABULARY

TOKENIZER = Tokenizer(VOCABULARY)


def tokens(text, **given):
    return [VOCABULARY[number] for number in TOKENIZER.tokens(text, **given).ids]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The price was great.", ["the", "price", "was", "great", "."]),
        ("LATELY", ["late", "##ly"]),
        ("later", ["late", "##r"]),
        ("Café's", ["cafe", "'", "s"]),
        ("great,great", ["great", ",", "great"]),
        ("a_a", ["a", "[UNK]", "a"]),
        ("zebra great", ["[UNK]", "great"]),
        ("great" * 20, ["[UNK]"]),
    ],
)
def test_words_are_split_into_longest_known_tokens(text, expected):
    assert tokens(text) == ["[CLS]", *expected, "[SEP]"]


def test_long_sentence_keeps_its_end_token():
    assert tokens("great " * 50, most=4) == ["[CLS]", "great", "great", "[SEP]"]
    assert tokens("great lately", most=4) == ["[CLS]", "great", "late", "[SEP]"]


def test_target_has_the_tokens_of_its_words():
    found = TOKENIZER.tokens("The staff was lately great")

    assert found.within(4, 9) == [2]
    assert found.within(14, 20) == [4, 5]
    assert found.within(15, 16) == [4, 5]
    assert found.within(26, 30) == []
