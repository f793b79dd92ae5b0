"""Labelled sets are recognised by their content and measured beside simpler ways."""

import json
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.analyser.evaluation import baselines, precision, quotes, simulation
from tools.analyser.evaluation.examples import (
    ReviewExample,
    TargetExample,
    TextExample,
)
from tools.analyser.evaluation.measures import Hits, accuracy, auc, macro_f1
from tools.analyser.evaluation.readers import read_file, read_folder
from tools.analyser.evaluation.report import measure_reviews, report
from tools.demo_reviews import END, generate, write_labels

SEMEVAL_14 = """<?xml version="1.0"?>
<sentences><sentence id="1">
 <text>The soup was great but our waiter vanished.</text>
 <aspectTerms>
  <aspectTerm term="soup" polarity="positive" from="4" to="8"/>
  <aspectTerm term="waiter" polarity="negative" from="27" to="33"/>
  <aspectTerm term="great" polarity="conflict" from="13" to="18"/>
 </aspectTerms>
</sentence></sentences>"""
TSA_MD = json.dumps(
    [
        {
            "text": "I love the screen.",
            "targets": [
                {"text": "screen", "location": {"begin": 11, "end": 17}, "sentiment": "positive"},
                {"text": "love", "location": {"begin": 2, "end": 6}, "sentiment": "mixed"},
            ],
        }
    ]
)
REVIEWS = "\n".join(
    json.dumps(line)
    for line in (
        {"taxonomy": "home_services", "roster": [{"id": "mark", "name": "Mark Reyes"}]},
        {
            "text": "Mark was very polite.",
            "rating": 5,
            "aspects": [{"id": "professionalism", "label": "positive"}],
            "people": ["mark"],
            "problems": [{"id": "no-show", "resolved": True}],
            "sentiment": "positive",
        },
        {"text": "Nice van.", "aspects": [{"term": "van", "label": "positive"}]},
    )
)


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch):
    monkeypatch.setattr(simulation, "WORLDS", 20)


@pytest.fixture
def write(tmp_path):
    def write(content, name="set.txt"):
        path = tmp_path / name
        path.write_text(content, "utf-8")
        return path

    return write


def test_the_terms_of_semeval_2014_are_read(write):
    found = read_file(write(SEMEVAL_14))

    text = "The soup was great but our waiter vanished."
    assert found.targets == [
        TargetExample(text, "soup", 4, "positive"),
        TargetExample(text, "waiter", 27, "negative"),
    ]


def test_the_targets_of_tsa_md_are_read(write):
    found = read_file(write(TSA_MD))

    assert found.targets == [TargetExample("I love the screen.", "screen", 11, "positive")]


def test_texts_with_a_zero_or_a_one_behind_a_tab_are_read(write):
    found = read_file(write('A "fine" place.\t1\r\nNever\x85 again.\t0\n'))

    assert found.texts == [
        TextExample('A "fine" place.', "positive"),
        TextExample("Never\x85 again.", "negative"),
    ]


def test_reviews_as_json_lines_bring_their_taxonomy_and_roster(write):
    found = read_file(write(REVIEWS))

    assert found.reviews == [
        ReviewExample(
            "Mark was very polite.",
            5,
            {"professionalism": "positive"},
            frozenset({"mark"}),
            {"no-show": True},
            "positive",
        ),
        ReviewExample("Nice van.", None),
    ]
    assert found.targets == [TargetExample("Nice van.", "van", None, "positive")]
    assert found.taxonomy["id"] == "home_services"
    assert found.roster == [{"id": "mark", "name": "Mark Reyes"}]


def test_the_truth_about_a_demo_is_read_with_its_texts(tmp_path):
    path = tmp_path / "truth.json"
    with path.open("w", encoding="utf-8") as file:
        reviews = list(write_labels(generate(20, 7), file, seed=7, end=END))

    found = read_file(path)

    kept = [review for review in reviews if review.kind == "plain"]
    assert [(r.text, r.rating) for r in found.reviews] == [(r.text, r.rating) for r in kept]
    assert {person["id"] for person in found.roster} >= {"mark-dunn", "will-okafor"}


@pytest.mark.parametrize(
    "content",
    ["", "# Notes\n", "<html/>", "<broken", "{}", "[1, 2]", '"text"', "a\tb\tc\n", "1\n2\n"],
)
def test_other_files_are_passed_over(write, content):
    assert read_file(write(content)) is None


def test_a_set_that_the_weights_know_is_marked(write, tmp_path):
    write(TSA_MD, "tsamd_train.json")
    write(TSA_MD, "tsamd_dev.json")

    notes = {found.name: found.note for found in read_folder(tmp_path)}

    assert notes == {"tsamd_dev": "", "tsamd_train": "trained on"}


def test_accuracy_and_macro_f1_count_labels():
    right = ["positive", "positive", "negative", "neutral"]
    given = ["positive", "negative", "negative", "positive"]

    assert accuracy(right, given) == 0.5
    assert macro_f1(right, given) == pytest.approx((0.5 + 2 / 3 + 0) / 3)


def test_hits_count_each_answer_once():
    hits = Hits()

    hits.count({"a", "b"}, ["b", "b", "c"])

    assert (hits.right, hits.wrong, hits.missed) == (1, 1, 1)
    assert (hits.precision, hits.recall, hits.f1) == (0.5, 0.5, 0.5)


@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30))
def test_auc_is_the_share_of_pairs_in_the_right_order(pairs):
    good = [score for truth, score in pairs if truth]
    bad = [score for truth, score in pairs if not truth]
    wins = sum((a > b) + (a == b) / 2 for a in good for b in bad)

    found = auc([truth for truth, _ in pairs], [score for _, score in pairs])

    assert found == pytest.approx(wins / (len(good) * len(bad)) if good and bad else 0)


def test_the_report_has_a_table_for_what_the_sets_hold(write, tmp_path):
    write(SEMEVAL_14, "restaurants.xml")
    write("Great!\t1\nAwful.\t0\n", "texts.txt")
    write(REVIEWS, "reviews.jsonl")

    lines = list(report(list(read_folder(tmp_path)), vader=None))

    assert "VADER is left out" in lines[0]
    titles = [line for line in lines[1:] if line and not line.startswith(" ")]
    assert [title.split(":")[0] for title in titles] == [
        "What a text thinks of a named thing, without stars",
        "Whether a text is positive or negative",
        "Reviews",
        "People named in reviews",
        "Opinions against the stars",
        "Changes",
        "Speed on one core",
    ]
    assert any(re.match(r"  texts +2 +1\.000 1\.000 ", line) for line in lines)
    assert any(re.match(r"  reviews +1 +1\.000 1\.000 +1\.000 1\.000$", line) for line in lines)


class Pessimist:
    """A second model that blames everything."""

    name = "pessimist"
    whole = (9.0, 0.0, -9.0)

    def __init__(self):
        self.sentences = []

    def read(self, sentences):
        self.sentences += sentences
        return [self] * len(sentences)

    def of_span(self, start, end):
        return self.whole


def test_second_model_is_measured_with_the_rules_and_reads_each_sentence_once(write):
    model = Pessimist()
    texts = read_file(write("Great!\t1\nAwful.\t0\n"))
    targets = read_file(write(TSA_MD, "targets.json"))

    lines = list(report([texts, targets], None, baselines.KeptReadings(model)))

    assert any(re.match(r"  \w+ +2 +0\.500 ", line) for line in lines)
    assert len(model.sentences) == len(set(model.sentences)) >= 3


def test_reviews_are_counted_by_aspect_person_problem_and_sentiment(write):
    hits = measure_reviews(read_file(write(REVIEWS)))

    assert (hits["people"].right, hits["people"].wrong, hits["people"].missed) == (1, 0, 0)
    assert (hits["problems"].right, hits["problems"].missed) == (0, 1)
    assert (hits["sentiment"].right, hits["sentiment_by_stars"].right) == (1, 1)


@pytest.mark.slow
def test_the_command_leaves_out_what_the_weights_know_unless_asked(write, tmp_path):
    write(TSA_MD, "tsamd_train.json")
    command = [sys.executable, "-m", "tools.analyser.evaluation", str(tmp_path)]

    without, everything = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=True).stdout
        for more in ([], ["--all"])
    )

    assert without.startswith("Left out, as the weights were trained on them: tsamd_train.\n")
    assert "What a text thinks" not in without
    assert re.search(r"tsamd_train .* trained on", everything)


def test_quotes_of_answers_are_counted_by_question(tmp_path):
    rows = [
        ("restaurant", "food", "yes", "The food was fresh and full of flavor."),
        ("restaurant", "food", "no", "It tasted great."),
        ("restaurant", "food", "yes", "Our food was bland and cold."),
        ("restaurant", "service", "yes", "Delicious."),
    ]
    (tmp_path / "tuning.tsv").write_text("\n".join(map("\t".join, rows)), "utf-8")

    counts = quotes.relevance("tuning", tmp_path)

    assert (counts.first.right, counts.first.wrong) == (2, 0)
    assert (counts.offered.right, counts.offered.wrong, counts.offered.missed) == (2, 0, 1)


@pytest.mark.parametrize("split", precision.SPLITS)
def test_nine_in_ten_quotes_answer_their_question(split):
    counts = quotes.relevance(split)

    assert counts.first.right + counts.first.wrong >= 20
    assert counts.first.precision >= 0.9
    assert counts.offered.precision >= 0.9
    # An answer needs one; a wrong one is worse than none. The analyser finds no aspect in others.
    assert counts.offered.recall >= 0.6


def test_most_aspects_that_many_reviews_mention_have_a_quote():
    rows = list(quotes.quoted_aspects())

    assert [reviews for _, reviews, _, _ in rows] == [120, 120]
    assert all(quoted >= 0.6 * often for _, _, often, quoted in rows)
