"""Valences of the lexicon's words in their context."""

import pytest

from review_analysis import lexicon, valence
from review_analysis.segments import Source, sentences


def weighed(text):
    """Words with their strengths and reasons."""
    found = []
    for words in sentences(Source(text)):
        valences = valence.weigh(words)
        found += [
            (word, strength, reason)
            for word, strength, reason in zip(
                words.words, valences.strengths, valences.reasons, strict=True
            )
            if strength
        ]
    return found


def total(text):
    return sum(strength for _, strength, _ in weighed(text))


@pytest.mark.parametrize(
    "text",
    [
        "great work",
        "not bad",
        "no problems",
        "never late",
        "no hidden fees",
        "they never disappoint",
        "couldn't be happier",
        "not a single complaint",
        "not too expensive",
        "without any hassle",
        "he fixed the leak",
        "the leak was quickly fixed.",
        "the drain was cleared in an hour",
        "the noise is gone",
        "she got my case dismissed",
        "the clog was cleared",
        "they solved our problem",
        "not only great but affordable",
        "soooo goooood",
        "I have rarely met more courteous people",
        "never had such good service",
        "Problems? None.",
        "ridiculously good",
        "you can't fault the friendly service",
        "a must see",
        "top-notch",
        "👍",
        ":)",
    ],
)
def test_praise(text):
    assert total(text) > 0


@pytest.mark.parametrize(
    "text",
    [
        "rude staff",
        "not good",
        "wasn't very friendly",
        "nobody was helpful",
        "the room was never clean",
        "too salty",
        "too sweet",
        "could be better",
        "should have been perfect",
        "i wish it was clean",
        "it leaks",
        "they never fixed the leak",
        "didn't fix the problem",
        "worse than before",
        "hardly helpful",
        "don't recommend",
        "never had such bad service",
        "Friendly? Never.",
        "incredibly slow",
        "a huge bill",
        "waste of money",
        "isn\u2019t worth it",
        "👎",
        ":(",
    ],
)
def test_blame(text):
    assert total(text) < 0


def test_negation_reaches_five_words_and_stops_at_a_comma_and_a_contrast():
    assert total("not in any real way good") < 0
    assert total("it is not for all of us here good") > 0
    assert total("it was not, good food") > 0
    assert total("not there but good") > 0


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("the staff were nothing but kind", 1),
        ("the staff were anything but kind", -1),
        ("never have I found the ward anything but clean", 1),
        ("the food was not only cold but also bland", -1),
        ("the crew could not have been ruder", -1),
        ("the crew could not have been more helpful", 1),
        ("the crew could not have been less helpful", -1),
        ("I couldn't find a better dentist", 1),
        ("not exactly what I'd call clean", -1),
        ("far from rude", 1),
        ("far from home, but great", 1),
        ("less painful than usual", 1),
        ("zero hassle", 1),
        ("it used to be great", -1),
        ("the tools are used to great effect", 1),
        ("I remember when the tables were clean and the waiters polite", -1),
        ("gone are the days of great bread", -1),
        ("after years of bad plumbers, we found these", 1),
        ("billing was terrible at my old dentist", 1),
        ("billing is better than at my old dentist", 1),
        ("if only the staff were friendly", -1),
        ("they said it was great; it wasn't", -1),
        ("I was afraid it would hurt, but it didn't.", 1),
        ("the leak has not come back", 1),
        ("it was never late and was great", 1),
        ("he has no car and he is kind", 1),
        ("they didn't come and ignored me", -1),
        ("they never once let a call go unanswered", 1),
    ],
)
def test_what_is_denied_spared_or_over_is_meant_the_other_way(text, sign):
    assert total(text) * sign > 0


def test_strong_and_weak_words_before_count():
    assert total("very good") > total("good") > total("somewhat good") > 0
    assert total("very bad") < total("bad") < total("slightly bad") < 0


def test_capitals_stand_out_unless_everything_is_shouted():
    assert total("it was GREAT to us") > total("it was great to us")
    assert total("IT WAS GREAT TO US") == total("it was great to us")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hardly tasty", [("tasty", "negated")]),
        ("could be nice", [("nice", "wished")]),
        ("fixed a leak", [("leak", "repair")]),
        ("too moist", [("moist", "too")]),
        ("great", [("great", "")]),
    ],
)
def test_every_change_leaves_its_reason(text, expected):
    reasons = [(word, reason) for word, _, reason in weighed(text)]

    assert reasons[-len(expected) :] == expected


@pytest.mark.parametrize(
    ("text", "problem", "expected"),
    [
        ("Mark fixed the leak in an hour", "leak", True),
        ("the leak was repaired the same day", "leak", True),
        ("the leak is gone", "leak", True),
        ("no more leaks", "leaks", True),
        ("we had a leak in the kitchen", "leak", False),
        ("they never fixed the leak", "leak", False),
        ("he tried to fix the leak", "leak", False),
        ("the leak was not fixed", "leak", False),
        ("he fixed the tap but the leak came back", "leak", False),
        ("my only complaint: the repair lasted a week!", "complaint", False),
        ("the noise is back after the repair", "noise", False),
        ("they had a fix for the leak", "leak", True),
    ],
)
def test_a_problem_is_resolved_when_the_review_says_so(text, problem, expected):
    (words,) = sentences(Source(text))
    start = text.index(problem)

    assert valence.is_resolved(words, *words.at(start, start + len(problem))) is expected


def test_lexicon_derives_regular_forms_and_lets_later_lines_override():
    lex = lexicon.Lexicon("a 2 nice, funny\nv -1 spoil, hate\nn -2 bug\nw 0 nicely\nw 3 top notch")

    assert lex.words["nicer"] == lex.words["funniest"] == lex.words["funnily"] == 2
    assert lex.words["spoiled"] == lex.words["hating"] == lex.words["hates"] == -1
    assert lex.words["bugs"] == -2
    assert lex.words["nicely"] == 0
    assert lex.phrase_at(["a", "top", "notch", "one"], 1) == (2, 3.0)
    assert lex.phrase_at(["a", "top", "hat"], 1) is None


@pytest.mark.parametrize(
    "text",
    [
        "it sounds like rain",
        "a place like this",
        "the trays look like the old ones",
        "nothing like the picture",
        "like most people, I have a phone",
    ],
)
def test_like_says_nothing_where_things_are_compared(text):
    assert total(text) <= 0


@pytest.mark.parametrize("text", ["I really like it", "the dogs like it", "we also like the soup"])
def test_like_praises_where_somebody_likes(text):
    assert total(text) > 0


@pytest.mark.parametrize("text", ["a second visit", "no second visit", "the wait times"])
def test_names_of_things_that_trades_judge_differently_are_no_opinion(text):
    assert total(text) == 0
