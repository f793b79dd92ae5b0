"""Valences of the lexicon's words in their context."""

import pytest

from review_analysis import lexicon, valence
from review_analysis.segments import Source, sentences


def weighed(text):
    """Return words with their strengths and reasons."""
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
def test_changes_of_valence_have_reasons(text, expected):
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
        ("they had a fix for the leak", "leak", False),
    ],
)
def test_problem_is_resolved_by_review(text, problem, expected):
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
