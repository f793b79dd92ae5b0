import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.prose.quotable import is_clear, is_quotable
from tests.hostile_texts import HOSTILE

NAMES = frozenset({"Kelly", "Luis", "Castle"})


@pytest.mark.parametrize(
    "text",
    [
        "The crew fixed it in an hour.",
        "They came when they had said.",
        "This company is a pleasure to work with.",
        "Mark took care of it, and he was kind.",
        "The receptionist rolled her eyes when I asked about my balance.",
        "I can't recommend them enough.",
        "The price was reasonable and fair for the size of the job.",
        "Castle was helpful when the tent tore, he had a spare.",
        "Nobody told us.",
    ],
)
def test_self_contained_sentences_are_quotable(text):
    assert is_clear(text, "negative", NAMES)


@pytest.mark.parametrize(
    "text",
    [
        # Fragments.
        "Great work at a fair price.",
        "For what they charge.",
        "Third house we've used them on.",
        "A capacitor, fixed in thirty minutes.",
        "Our plumber does.",
        "Peter was honest about why.",
        "Grove Park, easy parking, well sign posted and shady picnic tables, good for a picnic.",
        "Waited an hour for a table.",
        # Pronouns without their nouns.
        "He fixed the pump.",
        "We had it fixed in an hour.",
        "This was great.",
        "Those are the best in town.",
        "Kelly gives them stickers and Dr. Chen talks to them.",
        "The last one was rude.",
        "We were satisfied after that.",
        "We loved these dishes.",
        "Bright lamps and large puzzles kept them entertained.",
        "Kelly found him a seat near the door.",
        "The technicians were quick and he explained it all.",
        "Staff were helpful when the castle did not fit, he had a spare.",
        # Sentences that continue another.
        "And the price was right.",
        "Also, they were quick.",
        "One laughed.",
        "The office is great too.",
        "They cleaned up the water as well.",
        "The concierge was also fantastic.",
    ],
)
def test_dependent_sentences_are_not_quotable(text):
    assert not is_clear(text, "negative", NAMES)


@pytest.mark.parametrize("text", [*HOSTILE, "Great location A great location near the sights"])
def test_hostile_texts_are_not_quotable(text):
    assert not is_quotable(text, "", ())
    assert not is_quotable(f"Fine work {text}.", "", ())


@given(st.text(max_size=60))
def test_quotable_text_is_one_line_and_plain_in_html(text):
    sentence = f"The crew came {text} again."

    if is_quotable(sentence, "", ()):
        assert sentence.isprintable()
        assert not set(sentence) & set('<>"`\\{}[]|@=')
        assert all(ord(char) < 0x250 or char in "\u2019\u2013\u2014" for char in sentence)
