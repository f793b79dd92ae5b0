"""Reasons for a visit, which are neither praised nor blamed."""

import pytest

from review_analysis import Analyser, analyse


def judged(text, term, rating=None):
    taxonomy = {"aspects": [{"id": "it", "label": "It", "terms": [term]}]}
    answer = analyse(text, rating, taxonomy, [])
    (aspect,) = answer["aspects"]
    (sentence,) = answer["sentences"]
    return aspect["label"], sentence["label"]


@pytest.mark.parametrize(
    ("rating", "label"), [(5, "positive"), (3, "neutral"), (1, "negative"), (None, "neutral")]
)
@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("This was about a drain cleaning.", "drain cleaning"),
        ("We called them for our clogged toilet!", "clogged toilet"),
        ("They were here last week for our main drain.", "main drain"),
        ("I hired this company to repair the water damage in the basement.", "water damage"),
        ("Used them for junk removal.", "junk removal"),
        ("Went in for a root canal.", "root canal"),
        ("This was for a criminal case.", "criminal case"),
        ("Needed a kitchen drain cleaned.", "drain"),
        ("We had them out on a Sunday to replace a sump pump.", "sump pump"),
        ("Called on a Sunday about a burst pipe!", "burst pipe"),
        ("I called the office about a broken crown.", "broken crown"),
        ("Took our dog in for a limp.", "limp"),
        ("They came to look at the furnace.", "furnace"),
        ("Our appointment was for a filling.", "filling"),
        ("I was there for my six month cleaning.", "cleaning"),
    ],
)
def test_of_what_somebody_came_for_the_stars_alone_tell_more(text, term, rating, label):
    assert judged(text, term, rating) == (label, label)


@pytest.mark.parametrize(
    ("text", "term", "label"),
    [
        ("We went there for the terrible burgers.", "burgers", "negative"),
        ("We came for the best pizza in town.", "pizza", "positive"),
        ("They came for the same leak three times.", "leak", "negative"),
        ("Had them do a great remodel.", "remodel", "positive"),
        ("Come for the view!", "view", "positive"),
        ("We had to call them for the wrong pizza.", "pizza", "negative"),
    ],
)
def test_an_opinion_of_it_is_heard(text, term, label):
    assert judged(text, term)[0] == label


def test_what_else_is_said_counts_by_itself():
    text = "They came out for a roof leak, and they did a wonderful job."

    assert judged(text, "roof leak")[0] == "neutral"
    assert judged(text, "job")[0] == "positive"
    assert judged("Came in for a crown, was dreading it.", "crown")[0] == "neutral"


def test_why_is_told():
    taxonomy = {"aspects": [{"id": "it", "label": "It", "terms": ["clogged toilet"]}]}

    (aspect,) = Analyser(taxonomy).read("We called them for our clogged toilet.", 5).aspects

    assert aspect.mentions[0].because == ("what somebody came for", "stars 5")
