"""Labelled sets are recognised by content and compared with simpler methods."""

import json
import re

import pytest

from tools.analyser.evaluation import precision, quotes, simulation
from tools.analyser.evaluation.examples import ReviewExample, TargetExample
from tools.analyser.evaluation.readers import read_file, read_folder
from tools.analyser.evaluation.report import report

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


def test_json_lines_have_taxonomy_and_roster(write):
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


@pytest.mark.parametrize(
    "content",
    ["", "# Notes\n", "<html/>", "<broken", "{}", "[1, 2]", '"text"', "a\tb\tc\n", "1\n2\n"],
)
def test_other_files_are_skipped(write, content):
    assert read_file(write(content)) is None


def test_report_has_table_for_each_kind_of_label(write, tmp_path):
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
        "Opinions against the stars",
        "Changes",
    ]
    assert any(re.match(r"  texts +2 +1\.000 1\.000 ", line) for line in lines)
    assert any(re.match(r"  reviews +1 +1\.000 1\.000 +1\.000 1\.000$", line) for line in lines)


@pytest.mark.parametrize("split", precision.SPLITS)
def test_nine_in_ten_quotes_answer_their_question(split):
    counts = quotes.relevance(split)

    assert counts.first.right + counts.first.wrong >= 20
    assert counts.first.precision >= 0.9
    assert counts.offered.precision >= 0.9
    # An answer needs a quote, and a wrong one is worse than none. The analyser finds no aspect in
    # the remaining reviews.
    assert counts.offered.recall >= 0.6


def test_most_aspects_that_many_reviews_mention_have_a_quote():
    rows = list(quotes.quoted_aspects())

    assert [reviews for _, reviews, _, _ in rows] == [120, 120]
    assert all(quoted >= 0.6 * often for _, _, often, quoted in rows)
