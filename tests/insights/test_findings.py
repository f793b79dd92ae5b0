from hypothesis import given
from hypothesis import strategies as st

from insights.findings import Complaint, Findings, dump, load
from insights.findings import Sentence as Kept
from tests.insights.records import LABELS, OPINIONS, SCORES

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
def test_stored_findings_round_trip(findings):
    assert load(dump(findings)) == findings
