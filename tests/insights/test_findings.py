"""From what an analyser read to what is stored and counted."""

from hypothesis import given
from hypothesis import strategies as st

from insights.findings import (
    Complaint,
    Findings,
    Opinion,
    dump,
    findings_of,
    load,
)
from insights.findings import Sentence as Kept
from review_analysis.reading import (
    EntityReading,
    Mention,
    Reading,
    Sentence,
)
from tests.insights.counting import LABELS, OPINIONS, SCORES

SENTENCES = (Sentence(0, 20, "positive", 0.8), Sentence(21, 44, "negative", -0.5))


def mention(score, sentence=0):
    label = "positive" if score > 0 else "negative"
    return Mention(3, 8, label, score, sentence, clause=(0, 9))


def reading(**members):
    values = {"analysed": True, "label": "positive", "score": 0.4565, "sentences": SENTENCES}
    return Reading(**(values | members))


def test_technicians_services_and_areas_are_exactly_those_of_the_stored_mentions():
    read = [
        EntityReading("person", "mara", "negative", -0.8, (mention(-0.8),)),
        EntityReading("person", "unstored", "negative", -0.8, (mention(-0.8),)),
        EntityReading("problem", "no_show", "negative", -0.8, (mention(-0.8),), resolved=True),
    ]
    stored = {"technicians": ["from-a-column", "mara"]}

    found = findings_of(reading(entities=tuple(read)), stored, "")

    assert found.technicians == (
        Opinion("from-a-column", "positive", 456),
        Opinion("mara", "negative", -800, (0, 20)),
    )
    assert found.problems == (Opinion("no_show", "negative", -800, (0, 20), resolved=True),)


FINDINGS = st.builds(
    Findings,
    analysed=st.booleans(),
    label=LABELS,
    score=SCORES,
    sentences=st.lists(
        st.builds(Kept, st.integers(0, 9), st.integers(9, 99), LABELS, SCORES), max_size=3
    ).map(tuple),
    complaints=st.lists(
        st.builds(Complaint, st.integers(0, 9), st.integers(9, 99), st.text(), st.text()),
        max_size=3,
    ).map(tuple),
    **OPINIONS,
)


@given(FINDINGS)
def test_what_is_stored_is_what_comes_back(findings):
    assert load(dump(findings)) == findings
