"""Words, sentences and clauses, and their offsets in the original text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_analysis.segments import MAX_CHARACTERS, MAX_SENTENCES, Source, sentences

ANY_TEXT = st.text(st.characters(), max_size=300)


def split(text):
    source = Source(text)
    return [text[slice(*source.span(words.start, words.end))] for words in sentences(source)]


def clauses(text):
    (words,) = sentences(Source(text))
    parts: dict[int, list[str]] = {}
    for number, word in zip(words.clauses, words.words, strict=True):
        parts.setdefault(number, []).append(word)
    return [" ".join(part) for part in parts.values()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Great food. Slow service!", ["Great food.", "Slow service!"]),
        ("Dr. Lee was kind. So was St. Mary's.", ["Dr. Lee was kind.", "So was St. Mary's."]),
        ("Great food.Nice staff", ["Great food.", "Nice staff"]),
        ("See yelp.com for more", ["See yelp.com for more"]),
        ("It cost $3.50 at 5 p.m. on Monday", ["It cost $3.50 at 5 p.m. on Monday"]),
        ("Wait... what?! No", ["Wait...", "what?!", "No"]),
        ("First line\nSecond line", ["First line", "Second line"]),
        ('He said "never again." Sad.', ['He said "never again."', "Sad."]),
        ("On time? Never. Clean? No!", ["On time? Never.", "Clean? No!"]),
        ("Late? Not once. Me? Not at all", ["Late? Not once.", "Me? Not at all"]),
        ("On time? Never late. Why? No idea", ["On time?", "Never late.", "Why?", "No idea"]),
        ("No. It was no. 3 of 5.", ["No.", "It was no. 3 of 5."]),
        ("He said it'd last. It didn't. Bye", ["He said it'd last. It didn't.", "Bye"]),
        ("They'd be rude, I heard. Not true.", ["They'd be rude, I heard. Not true."]),
        ("It never worked. Not once.", ["It never worked.", "Not once."]),
        ("I left a message. Nothing.", ["I left a message.", "Nothing."]),
        ("It's fine. It isn't pretty.", ["It's fine.", "It isn't pretty."]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_ends_of_sentences(text, expected):
    assert split(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("good food but slow service", ["good food", "but slow service"]),
        ("the food is good although pricey", ["the food is good", "although pricey"]),
        ("came late; left early", ["came late", "; left early"]),
        (
            "the food was good, and the staff was kind",
            ["the food was good", ", and the staff was kind"],
        ),
        (
            "great view, mediocre food, rude waiters",
            ["great view", ", mediocre food", ", rude waiters"],
        ),
        ("price fair, crew rude", ["price fair", ", crew rude"]),
        ("nice, friendly people", ["nice , friendly people"]),
        ("good food, service and prices", ["good food , service and prices"]),
        ("he was polite, clean and quick", ["he was polite , clean and quick"]),
        ("i love the food and the wine", ["i love the food and the wine"]),
    ],
)
def test_clauses_open_at_contrasts_and_new_subjects(text, expected):
    assert clauses(text) == expected


def test_decomposed_letters_are_composed_with_original_offsets():
    text = unicodedata.normalize("NFD", "Café señor. Très bien")

    assert split(text) == [unicodedata.normalize("NFD", s) for s in ("Café señor.", "Très bien")]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Definately proffesional, would reccomend", "definitely professional, would recommend"),
        ("They didnt show and wont call", "they didn't show and won't call"),
        ("Waited 3 hrs tho", "waited 3 hours though"),
        ("Favourite neighbour", "favorite neighbor"),
        ("Ask for HR", "ask for hr"),
        ("A U joint", "a u joint"),
    ],
)
def test_common_mistakes_are_corrected(text, read):
    assert Source(text).normalised == read


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_corrected_words_have_original_offsets(form):
    text = unicodedata.normalize(form, "Café was excelent. Alot of freindly, courtious people!")
    source = Source(text)

    words = [text[slice(*source.span(start, start + len(word)))] for word, start in source.words]

    assert words[:3] == [unicodedata.normalize(form, "Café"), "was", "excelent"]
    assert words[5:] == ["of", "freindly", "courtious", "people"]


def test_text_is_limited_in_characters_and_sentences():
    assert sum(map(len, split("word " * 50_000))) <= MAX_CHARACTERS
    assert len(split("Good. " * 5_000)) == MAX_SENTENCES


@given(ANY_TEXT)
def test_words_are_in_text_in_order(text):
    source = Source(text)
    last = 0

    for words in sentences(source):
        for start, end in zip(words.starts, words.ends, strict=True):
            begin, stop = source.span(start, end)
            assert last <= start < end <= len(source.normalised)
            assert 0 <= begin < stop <= len(text)
            last = end
