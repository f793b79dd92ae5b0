"""Training of weights from labelled texts is deterministic."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tools.analyser.training import datasets
from tools.analyser.training.datasets import (
    NEGATIVE,
    NEUTRAL,
    POSITIVE,
    SentenceExample,
    TargetExample,
)

# A development tool. It is found by name, since importing it takes seconds.
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("sklearn") is None, reason="scikit-learn is not installed"
)

ROOT = Path(__file__).parents[3]
NOUNS = ["soup", "room", "phone", "course"]
WORDS = [("splendid", "positive"), ("ghastly", "negative"), ("blue", "neutral")]
OURS = {"care", "goods", "services", "tables", "trades"}
MARKS = {"positive": "+", "negative": "-", "neutral": "="}
RATINGS = {"positive": 2.5, "negative": -2.5, "neutral": 0.1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Create every file that training reads, with a few sentences of our own."""
    folder = tmp_path_factory.mktemp("labelled")
    pairs = [(noun, *word) for noun, word in product(NOUNS, WORDS)]
    terms = "".join(
        f"<sentence><text>The {noun} was {word}.</text><aspectTerms>"
        f'<aspectTerm term="{noun}" from="4" to="{4 + len(noun)}" polarity="{label}"/>'
        "</aspectTerms></sentence>"
        for noun, word, label in pairs
    )
    (folder / "mams_atsa_train.xml").write_text(f"<sentences>{terms}</sentences>")
    for name in datasets.ROAST_DOMAINS:
        lines = [
            f"The {noun} was {word} , really . We ate at 5 . 30 there ."
            f"####[['{noun}', 'x general', '{label}', '{word}']]"
            for noun, word, label in pairs
        ]
        (folder / f"roast_{name}_train.txt").write_text("\n".join(lines))
    entries = [
        {
            "text": f"A {word} {noun}!",
            "targets": [
                {
                    "sentiment": label,
                    "location": {"begin": 3 + len(word), "end": 3 + len(word) + len(noun)},
                }
            ],
        }
        for noun, word, label in pairs
    ]
    (folder / "tsamd_train.json").write_text(json.dumps(entries))
    for name in datasets.RATED_DOMAINS:
        lines = [
            f"{n}\t{RATINGS[label]}\tThis {noun} is {word}."
            for n, (noun, word, label) in enumerate(pairs)
        ]
        (folder / f"{name}_GroundTruth.txt").write_text("\n".join(lines))
    (folder / "sentences").mkdir()
    lines = [f"Our [{noun}]{MARKS[label]} stayed {word}." for noun, word, label in pairs]
    (folder / "sentences" / "care.txt").write_text("\n".join(lines))
    return folder


def train(folder, output, seed, threads):
    environment = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads}
    command = [sys.executable, "-m", "tools.analyser.training.train", folder]
    command += ["--sentences", folder / "sentences", "--output", output]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=True)
    return done.stdout.decode(), output.read_bytes()


@pytest.mark.slow
def test_training_is_deterministic_for_any_hash_seed_and_threads(folder, tmp_path):
    said, first = train(folder, tmp_path / "first.json", "1", "1")
    _, second = train(folder, tmp_path / "second.json", "2", "2")

    assert first == second
    assert "sentence features" in said
    weights = json.loads(first)
    assert weights["sentence"]["splendid"][1] > 0 > weights["sentence"]["splendid"][0]
    assert weights["target"]["c"]["ghastly"][0] > 0 > weights["target"]["c"]["ghastly"][1]


def test_sets_are_read_with_places_of_targets(folder):
    examples = datasets.load(folder)

    assert {
        TargetExample("restaurants", "The soup was splendid.", 4, 8, POSITIVE),
        TargetExample("hotels", "The soup was ghastly, really.", 4, 8, NEGATIVE),
        TargetExample("hotels, opinions", "The soup was ghastly, really.", 13, 20, NEGATIVE, 0.25),
        TargetExample("various", "A blue room!", 7, 11, NEUTRAL),
    } <= set(examples.targets)
    assert {
        SentenceExample("food", "The room was ghastly, really.", NEGATIVE),
        SentenceExample("food", "We ate at 5.30 there.", NEUTRAL, 0.3),
        SentenceExample("films", "This room is splendid.", POSITIVE),
        SentenceExample("news", "This room is blue.", NEUTRAL),
    } <= set(examples.sentences)


def test_own_sentences_are_read_by_their_marks(folder):
    targets = [e for e in datasets.load(folder).targets if e.domain in OURS]

    assert TargetExample("services", "They never called back.", 11, 22, NEGATIVE) in targets
    assert {e.label for e in targets} == {NEGATIVE, NEUTRAL, POSITIVE}
    assert {e.domain for e in targets} == OURS
    assert len(targets) >= 12_000
    assert all(e.text[e.start : e.end].strip() for e in targets)
    assert not any(mark in e.text for e in targets for mark in "[]")


def sentences_in(text):
    """Split at every sign that may end a sentence, and at values in a file."""
    return set(filter(None, re.split(r"\s*[.?!\"\t\n]\s*", text.lower())))


@pytest.mark.slow
def test_own_sentences_are_not_in_evaluation_sets(folder):
    measured = {
        sentence
        for path in (ROOT / "tests" / "insights" / "conformance").rglob("*.[jt]s*")
        for sentence in sentences_in(path.read_text("utf-8"))
    }
    ours = {e.text for e in datasets.load(folder).targets if e.domain in OURS}

    assert len(measured) > 3_000
    copied = [found for found in map(sentences_in, ours) if found <= measured]
    # Many customers write the same few words: "No hot water. Again."
    assert [found for found in copied if any(len(one.split()) > 3 for one in found)] == []
