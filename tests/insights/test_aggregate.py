"""Aggregates that do not depend on the order of additions and removals."""

import datetime as dt
import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from insights.aggregate import Aggregate
from insights.dataset import DatasetBuilder
from insights.findings import AnalysedReview, Opinion, Phrase
from insights.running_totals import PerReview
from insights.topics import NounCounts
from tests.insights.records import LABELS, NAMES, OPINIONS, SCORES, review

ULIDS = st.integers(0, 40).map(lambda number: f"01K{number:023}")


def opinion(key, score=800, label=None, **members):
    return Opinion(key, label or ("positive" if score > 0 else "negative"), score, **members)


def aggregate(*records, names=NAMES):
    sums = Aggregate(names)
    for record in records:
        sums.add(record)
    return sums


def nouns_of(records):
    words = NounCounts()
    for record in records:
        words.add(record)
    return words


def only(sums, kind="aspects"):
    """Return the single subject of this kind."""
    (subject,) = sums.subjects(kind)
    return subject


def members(sums, words=None, entries=None):
    words = words or nouns_of(sums.records.values())
    return DatasetBuilder(sums, words, "rules/1", entries=entries).members()


# --- Any order ------------------------------------------------------------------------------------

RECORDS = st.builds(
    AnalysedReview,
    ulid=ULIDS,
    author=st.sampled_from(["Ann", "Bo", "Anonymous"]),
    rating=st.integers(1, 5),
    date=st.dates(dt.date(2024, 1, 1), dt.date(2026, 12, 31)),
    text=st.sampled_from(
        [
            "",
            "Fair price and a very good manner all along. Bye.",
            "They explained the payment plan and we took the payment plan at once.",
            "The payment plan was what we had wanted, and the office dog was there.",
        ]
    ),
    model=st.sampled_from(["rules/1", "other/2"]),
    analysed=st.booleans(),
    label=LABELS,
    score=SCORES,
    **OPINIONS,
)


class Edits(RuleBasedStateMachine):
    """Add, change and remove reviews. The sums always equal those of a fresh count."""

    def __init__(self):
        super().__init__()
        self.sums = Aggregate(NAMES)
        self.words = NounCounts()
        self.entries = PerReview(NAMES)

    @rule(record=RECORDS)
    def write(self, record):
        if record.ulid in self.sums.records:
            self._remove(record.ulid)
        self.sums.add(record)
        self.words.add(record)

    @precondition(lambda self: self.sums.records)
    @rule(data=st.data())
    def take_out(self, data):
        self._remove(data.draw(st.sampled_from(sorted(self.sums.records))))

    def _remove(self, ulid):
        record = self.sums.records[ulid]
        self.sums.remove(record)
        self.words.remove(record)

    @invariant()
    def equals_a_rebuild_in_another_order(self):
        records = list(self.sums.records.values())
        random.Random(len(records)).shuffle(records)
        assert members(self.sums, self.words, self.entries) == members(aggregate(*records))


# Each example is a series of steps, all compared with a fresh count.
Edits.TestCase.settings = settings(
    max_examples=settings.default.max_examples // 4, stateful_step_count=15
)
TestEdits = Edits.TestCase


# --- Numbers --------------------------------------------------------------------------------------


# --- Examples -------------------------------------------------------------------------------------


def test_examples_are_five_of_different_authors():
    twice = [
        review(n, author=f"Author {n // 2}", aspects=(opinion("price", 900 - n),))
        for n in range(20)
    ]

    assert only(aggregate(*twice)).derived.examples == [review(n).ulid for n in (0, 2, 4, 6, 8)]


def test_labels_of_one_in_five_reviews_are_among_examples():
    praise = [review(n, aspects=(opinion("price", 1000),)) for n in range(6)]
    doubt = [review(10 + n, aspects=(opinion("price", 0, "neutral"),)) for n in range(2)]
    blame = [review(20 + n, aspects=(opinion("price", -300),)) for n in range(2)]

    examples = only(aggregate(*praise, *doubt, *blame)).derived.examples

    assert len(examples) == 5
    assert {doubt[1].ulid, blame[1].ulid} < set(examples)


# --- Phrases --------------------------------------------------------------------------------------


def top_phrases(sums):
    return [phrase.text for phrase in only(sums).derived.top_phrases]


def saying(number, *phrases):
    said = tuple(Phrase(key, text, score) for key, text, score in phrases)
    return review(number, aspects=(opinion("price", phrases=said),))


def test_phrase_needs_two_reviews_and_has_commonest_form():
    sums = aggregate(
        saying(1, ("fair price", "fair price", 900), ("fair price", "fair prices", 900)),
        saying(2, ("fair price", "fair price", 900)),
        saying(3, ("fair price", "fair prices", 900)),
        saying(4, ("big bill", "big bill", -900)),
    )

    assert top_phrases(sums) == ["fair price"]


@pytest.mark.parametrize(
    ("alone", "shown"), [(2, ["a set fair price"]), (3, ["fair price", "a set fair price"])]
)
def test_phrase_that_is_mostly_part_of_longer_one_is_dropped(alone, shown):
    longer = [
        saying(n, ("fair price set", "a set fair price", 900), ("fair price", "fair price", 900))
        for n in range(8)
    ]
    sums = aggregate(
        *longer, *(saying(10 + n, ("fair price", "fair price", 9)) for n in range(alone))
    )

    assert top_phrases(sums) == shown


# --- Time -----------------------------------------------------------------------------------------


# Creating a dozen reviews takes as long as the rest of the test.
