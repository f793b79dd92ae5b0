"""The function `analyse`: a text, a taxonomy and a roster in, dictionaries out."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_analysis import MODEL, Analyser, analyse
from review_analysis.model import FILE
from review_analysis.terms import MAX_MENTIONS

TAXONOMY = {
    "id": "plumber",
    "version": 1,
    "aspects": [
        {"id": "work", "label": "Work", "terms": ["work", "repair*", "job"]},
        {
            "id": "price",
            "label": "Price",
            "terms": ["price*", "bill"],
            "exclude": ["price of fame"],
            "term_polarity": {"overpriced": -1, "on budget": 1},
        },
        {"id": "staff", "label": "Staff", "terms": ["staff", "technician*", "crew"]},
    ],
    "services": [{"id": "drain-cleaning", "label": "Drain cleaning", "terms": ["drain*"]}],
    "problems": [{"id": "leak", "label": "Leak", "terms": ["leak*"]}],
    "areas": [{"id": "alder-bay", "label": "Alder Bay", "terms": []}],
    "topics": [{"id": "kitchen", "label": "Kitchen", "terms": ["kitchen", "sink"]}],
}
ROSTER = [{"id": "dana", "name": "Dana Ruiz", "aliases": ["Day"]}]
TEXT = (
    "Dana fixed the leak under our kitchen sink in Alder Bay. Great work, but overpriced. "
    "The drain is clean."
)


def polarity(text, term, rating=None):
    """Return the polarity of `term` in `text`, as a separate aspect."""
    taxonomy = {"id": "x", "version": 1, "aspects": [{"id": "x", "label": "X", "terms": [term]}]}
    (aspect,) = analyse(text, rating, taxonomy, [])["aspects"]
    return aspect["label"]


def mentions(result):
    for part in result["aspects"] + result["entities"]:
        yield from part["mentions"]


# --- Shape ----------------------------------------------------------------------------------------


def test_result_has_documented_keys():
    result = analyse(TEXT, 4, TAXONOMY, ROSTER)

    assert list(result) == ["sentiment", "aspects", "people", "entities", "sentences", "complaints"]
    assert list(result["sentiment"]) == ["label", "score"]
    assert {tuple(aspect) for aspect in result["aspects"]} == {
        ("id", "label", "score", "phrase", "mentions")
    }
    assert {tuple(m) for a in result["aspects"] for m in a["mentions"]} == {
        ("start", "end", "label", "score")
    }
    assert {tuple(e) for e in result["entities"]} == {("type", "id", "label", "score", "mentions")}
    assert {tuple(m) for e in result["entities"] for m in e["mentions"]} == {("start", "end")}
    assert {tuple(s) for s in result["sentences"]} == {("start", "end", "label", "score")}


def test_review_is_analysed():
    result = analyse(TEXT, None, TAXONOMY, ROSTER)

    assert [(a["id"], a["label"], a["phrase"]) for a in result["aspects"]] == [
        ("work", "positive", "Great work"),
        ("price", "negative", "overpriced"),
    ]
    assert [(e["type"], e["id"]) for e in result["entities"]] == [
        ("technician", "dana"),
        ("area", "alder-bay"),
        ("service", "drain-cleaning"),
        ("topic", "kitchen"),
    ]
    places = [TEXT[m["start"] : m["end"]] for m in mentions(result)]
    assert places == [
        "work", "overpriced", "Dana", "Alder Bay", "drain", "kitchen", "sink",
    ]  # fmt: skip
    assert [TEXT[s["start"] : s["end"]] for s in result["sentences"]] == [
        "Dana fixed the leak under our kitchen sink in Alder Bay.",
        "Great work, but overpriced.",
        "The drain is clean.",
    ]


@pytest.mark.parametrize("text", [None, "", "  \n"])
def test_stars_decide_without_text(text):
    for rating, label, score in [
        (5, "positive", 1.0),
        (3, "neutral", 0.0),
        (1, "negative", -1.0),
        (None, "neutral", 0.0),
    ]:
        assert analyse(text, rating, TAXONOMY, ROSTER) == {
            "sentiment": {"label": label, "score": score},
            "aspects": [],
            "people": [],
            "entities": [],
            "sentences": [],
            "complaints": [],
        }


def test_other_languages_are_judged_by_stars():
    text = "Отличная работа, мастер приехал вовремя, work work"

    reading = Analyser(TAXONOMY, ROSTER).read(text, 5)

    assert not reading.analysed
    assert (reading.label, reading.score, reading.aspects) == ("positive", 1.0, ())


@pytest.mark.parametrize("text", ["", TEXT])
def test_rating_between_two_stars_is_rounded(text):
    assert analyse(text, 4.6, TAXONOMY, ROSTER) == analyse(text, 5, TAXONOMY, ROSTER)


@pytest.mark.parametrize("rating", [0, 6, float("inf"), float("nan"), "5", True])
def test_rating_out_of_range_is_refused(rating):
    with pytest.raises(ValueError, match="rating must be a number from 1 to 5, or None; it is"):
        Analyser(TAXONOMY, ROSTER).read(TEXT, rating)


def test_changed_taxonomy_is_compiled_again():
    taxonomy = {"id": "x", "version": 1, "aspects": [{"id": "a", "label": "A", "terms": ["cat"]}]}
    before = analyse("The cat and the dog are nice", None, taxonomy, [])
    taxonomy["aspects"][0]["terms"].append("dog")

    after = analyse("The cat and the dog are nice", None, taxonomy, [])

    assert len(before["aspects"][0]["mentions"]) == 1
    assert len(after["aspects"][0]["mentions"]) == 2


# --- Judgement ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "term", "expected"),
    [
        ("The food was great but the service was terrible.", "food", "positive"),
        ("The food was great but the service was terrible.", "service", "negative"),
        ("Although the wait was long, the doctor was wonderful.", "wait", "negative"),
        ("Although the wait was long, the doctor was wonderful.", "doctor", "positive"),
        ("The speakers are terrible, but the screen is gorgeous.", "screen", "positive"),
        ("The crew was not professional.", "crew", "negative"),
        ("I have no complaints about the service.", "service", "positive"),
        ("He found the leak and fixed it within minutes.", "leak", "positive"),
        ("It should have been a simple repair.", "repair", "negative"),
        ("The service could be better.", "service", "negative"),
        ("The price was way too high for a ten minute job.", "price", "negative"),
        ("The quality is worse than before.", "quality", "negative"),
        ("The quality is better than expected.", "quality", "positive"),
        ("The technician showed up two hours late and never apologized.", "technician", "negative"),
        ("They honored the warranty without any hassle.", "warranty", "positive"),
        ("Easy scheduling, great work.", "scheduling", "positive"),
        ("I would not recommend this firm to anyone.", "firm", "negative"),
        ("I would recommend this firm to anyone.", "firm", "positive"),
        ("My mother loves the activities.", "activities", "positive"),
        ("The lawyer never returned my calls.", "lawyer", "negative"),
        ("The battery life is amazing!", "battery life", "positive"),
        ("Great fish & chips \N{THUMBS UP SIGN}", "fish & chips", "positive"),
        ("The wi-fi was terribly slow", "wi-fi", "negative"),
        ('A gorgeous 24" screen', '24" screen', "positive"),
    ],
)
def test_polarity_towards_any_phrase(text, term, expected):
    assert polarity(text, term) == expected


def test_stars_decide_only_undecided_words():
    assert polarity("We met the crew", "crew", 5) == "positive"
    assert polarity("We met the crew", "crew", 1) == "negative"
    assert polarity("The crew was terribly rude and dishonest.", "crew", 5) == "negative"
    assert polarity("The crew was wonderful and very kind.", "crew", 1) == "positive"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Overpriced.", "negative"),
        ("It was never overpriced.", "positive"),
        ("On budget", "positive"),
    ],
)
def test_polarity_of_term_counts_and_is_negated(text, label):
    (aspect,) = analyse(text, None, TAXONOMY, [])["aspects"]

    assert aspect["label"] == label


def test_result_has_reasons():
    reading = Analyser(TAXONOMY).read("The crew was not professional. Overpriced!", 2)

    staff, price = reading.aspects[1].mentions[0], reading.aspects[0].mentions[0]
    assert 'negated "professional" -1.7' in staff.because
    assert price.because[0] == "the term itself"
    assert staff.because[-1] == "stars 2"


def test_problem_has_resolution():
    analyser = Analyser(TAXONOMY, ROSTER)

    solved, not_solved = (
        analyser.read(text, None).entities[0]
        for text in ("They made a leak and fixed it.", "He never fixed the leak.")
    )

    assert (solved.type, solved.resolved) == ("problem", True)
    assert not_solved.resolved is False


# --- Any text -------------------------------------------------------------------------------------

WORDS = st.lists(
    st.sampled_from(
        "the crew work price leak Dana was not great, terrible but and . ! ? \n too overpriced"
        " drain \ud800 \0 e\u0301 \u05e9\u05dc\u05d5\u05dd \U0001f44d <b> http://x.y ß İ".split(" ")
    ),
    max_size=60,
).map(" ".join)


def label_of(score):
    return "positive" if score > 0.15 else "negative" if score < -0.15 else "neutral"


@given(st.one_of(WORDS, st.text(st.characters(), max_size=200)), st.sampled_from([None, 1, 3, 5]))
def test_any_text_is_read_with_offsets_into_it(text, rating):
    result = analyse(text, rating, TAXONOMY, ROSTER)

    for mention in mentions(result):
        assert 0 <= mention["start"] < mention["end"] <= len(text)
    for aspect in result["aspects"]:
        assert aspect["phrase"] in text
        labels = {mention["label"] for mention in aspect["mentions"]}
        assert aspect["label"] == label_of(aspect["score"])
        assert len(labels) > 1 or labels == {aspect["label"]}
    for part in (result["sentiment"], *result["aspects"], *result["sentences"]):
        assert -1 <= part["score"] <= 1
    assert result == analyse(text, rating, TAXONOMY, ROSTER)


@pytest.mark.parametrize(
    "text",
    [
        "the crew and " * 40_000,
        "a" * 200_000,
        "the work was " + "very " * 40_000 + "good",
        "e\u0301" * 60_000,
        "the \u0301" + "\u0301" * 100_000,
        "!" * 100_000,
        ", and the crew was" * 8_000,
        "not " * 30_000,
        "<p>the work</p>" * 8_000,
        "\ud800\0 the work " * 9_000,
    ],
    ids=lambda text: text[:12].encode("unicode-escape").decode(),
)
def test_long_texts_are_read_within_bounds(text):
    result = analyse(text, 5, TAXONOMY, ROSTER)

    assert all(len(aspect["mentions"]) <= MAX_MENTIONS for aspect in result["aspects"])
    assert len(result["sentences"]) <= 200


# --- Determinism ----------------------------------------------------------------------------------

PROGRAM = """
import json
from tests.review_analysis.test_analyse import ROSTER, TAXONOMY, TEXT
from review_analysis import analyse
print(json.dumps([analyse(TEXT * 3, rating, TAXONOMY, ROSTER) for rating in (None, 1, 5)]))
"""


@pytest.mark.slow
def test_process_with_other_hash_seed_gives_same_bytes():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }

    assert len(outputs) == 1


def test_model_is_named_by_its_weights():
    digest = hashlib.sha256(FILE.read_bytes()).hexdigest()

    assert f"rules-linear/1.1+w:{digest[:8]}" == MODEL


def said_of(term, text, rating=None):
    aspect = {"id": "asked", "label": "Asked", "terms": [term]}
    return analyse(text, rating, {"aspects": [aspect]}, [])["aspects"][0]


def test_score_of_aspect_has_common_label_of_mentions():
    said = said_of("bar", "We waited at the bar, and then had a wonderful dinner.")

    (mention,) = said["mentions"]
    assert mention["label"] == "neutral"
    assert mention["score"] > 0.15
    assert said["score"] == 0.15


@pytest.mark.parametrize(
    ("text", "rating", "label"),
    [
        ("Great prices. Terrible prices.", 1, "negative"),
        ("Great prices. Terrible prices.", 5, "positive"),
        ("The prices are great. The price of the wine is terrible.", None, "positive"),
        ("Fair price. The price has doubled since.", None, "negative"),
    ],
)
def test_aspect_with_balanced_mentions_takes_likelier_side(text, rating, label):
    said = said_of("price*", text, rating)

    assert {mention["label"] for mention in said["mentions"]} == {"positive", "negative"}
    assert said["label"] == label_of(said["score"]) == label


def test_surrounding_sentences_replace_missing_stars():
    neutral = "They came with a van on Monday."
    alone = said_of("van", neutral)["score"]

    assert said_of("van", f"Everybody was wonderful and so kind. {neutral}")["score"] > alone
    assert said_of("van", f"{neutral} Everybody was horrible and so rude.")["score"] < alone
    assert said_of("van", f"{neutral} However, everybody was horrible.")["score"] == alone
