"""Numbers equal those of the dataset, and quotations are verbatim, for any reviews."""

import re

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.dataset import DatasetBuilder
from insights.prose.faq import questions
from insights.prose.quotations import pull_quote, sample_quote
from insights.prose.summary import summary
from insights.topics import NounCounts
from tests.hostile_texts import HOSTILE
from tests.insights.prose.corpus import NAMES, aggregate, demo, record, said

TEXTS = (
    "They came on time, all 3 of them.",
    "It was late again!",
    "Fine work at 20% less than the other quotes.",
    "We would call them again, and so should you.",
    "<b>Bold</b> words.",
    "Write to me@x.example.",
)
KINDS = {
    kind: st.lists(st.sampled_from(sorted(NAMES.of(kind))), unique=True, max_size=2)
    for kind in ("aspects", "technicians", "services", "areas")
}
SENTENCES = st.builds(
    said, st.sampled_from(TEXTS), st.sampled_from([-0.9, -0.4, 0.0, 0.5, 0.99]), **KINDS
)
REVIEWS = st.lists(
    st.tuples(SENTENCES, st.integers(1, 5), st.integers(0, 900)), min_size=5, max_size=12
)


@pytest.fixture(scope="module")
def demo_sums():
    names, records = demo()
    return aggregate(*records, names=names)


def prose(sums):
    """Return every text with the ids of its evidence."""
    texts = [(each.answer, each.review_ids) for each in questions(sums, "Tern Hollow")]
    texts += [(each.text, each.review_ids) for each in [summary(sums, "Tern Hollow")] if each]
    return texts


def numbers(text):
    return {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)}


def numbers_of(value):
    """Return every number of the dataset, including those in dates."""
    if isinstance(value, dict):
        return set().union(*map(numbers_of, value.values()))
    if isinstance(value, list):
        return set().union(*map(numbers_of, value))
    if isinstance(value, str):
        return {float(number) for number in re.findall(r"\d+", value)}
    return {float(value)} if isinstance(value, int | float) else set()


def quotations(text):
    return re.findall("“(.*?)”", text)


def assert_truthful(sums):
    members = orjson.loads(DatasetBuilder(sums, NounCounts(), "rules/1").members())
    known = numbers_of({key: members[key] for key in members if key != "per_review"})
    known.add(sums.overall.average_rating)
    for text, evidence in prose(sums):
        assert numbers(re.sub("“.*?”", "", text)) <= known, text
        assert set(evidence) <= sums.records.keys()
        for quotation in quotations(text):
            assert any(quotation in sums.records[ulid].text for ulid in evidence)


@given(REVIEWS)
def test_prose_of_any_reviews_is_truthful(reviews):
    sums = aggregate(
        *(
            record(number, sentence, rating=rating, days_ago=days)
            for number, (sentence, rating, days) in enumerate(reviews)
        )
    )

    assert_truthful(sums)


def test_prose_of_demo_is_truthful(demo_sums):
    assert_truthful(demo_sums)
    assert len(questions(demo_sums)) > 10


def test_hostile_texts_of_demo_are_not_quoted(demo_sums):
    subjects = [each for kind in ("technicians", "services") for each in demo_sums.subjects(kind)]
    texts = [text for text, _ in prose(demo_sums)]
    texts += filter(None, (sample_quote(demo_sums, subject) for subject in subjects))
    texts.append(pull_quote(demo_sums).text)

    assert len(texts) > 20
    for text in texts:
        assert text.isprintable()
        assert not any(nasty in text for nasty in HOSTILE)
