"""Reviews that `/insights.json` counts for a subject."""

import json

from hypothesis import given
from hypothesis import strategies as st

from insights.documents import evidence, without_evidence

LISTS = ("technicians", "services", "problems", "service_areas", "topics")
KEYS = st.sampled_from(["price", "no-show", "on_time", "ana", "a"])
HOSTILE = st.text(st.sampled_from('":{}[],\\ab') | st.characters(codec="utf-8"), max_size=20)
ASPECT = st.builds(
    lambda key, label, phrase: {"id": key, "label": label, "score": 0.5, "phrase": phrase},
    KEYS,
    st.sampled_from(["positive", "neutral", "negative"]),
    HOSTILE | st.just('{"id":"price","label":"negative"') | st.just('":{"sentiment":{'),
)
ENTRY = st.builds(
    lambda aspects, *lists: {
        "sentiment": {"score": 0.1, "label": "positive"},
        "aspects": aspects,
        **dict(zip(LISTS, lists, strict=True)),
    },
    st.lists(ASPECT, max_size=3, unique_by=lambda aspect: aspect["id"]),
    *[st.lists(KEYS, max_size=3, unique=True) for _ in LISTS],
)
ENTRIES = st.lists(ENTRY, max_size=6).map(
    lambda entries: {f"01M65GTXHQZTD47A4ZY448VQ{n:02}": each for n, each in enumerate(entries)}
)


def document(entries):
    members = {"summary": HOSTILE_SUMMARY, "per_review": entries, "faq": []}
    return json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode()


HOSTILE_SUMMARY = '"},"faq":[ ,"per_review":{'


@given(ENTRIES, st.sampled_from(["aspects", *LISTS]), KEYS)
def test_evidence_is_entries_naming_subject_in_order(entries, kind, subject):
    def names(entry):
        return [each["id"] for each in entry[kind]] if kind == "aspects" else entry[kind]

    wanted = {ulid: entry for ulid, entry in entries.items() if subject in names(entry)}

    found = list(evidence(document(entries), kind, subject))

    assert found == list(wanted.items())
    for place, ulid in enumerate(entries):
        following = set(list(entries)[place + 1 :])
        assert [key for key, _ in evidence(document(entries), kind, subject, after=ulid)] == [
            key for key in wanted if key in following
        ]


@given(ENTRIES, KEYS, st.sampled_from(["positive", "neutral", "negative"]))
def test_evidence_of_aspect_is_separated_by_opinion(entries, subject, label):
    found = [ulid for ulid, _ in evidence(document(entries), "aspects", subject, label)]

    assert found == [
        ulid
        for ulid, entry in entries.items()
        if (subject, label) in {(each["id"], each["label"]) for each in entry["aspects"]}
    ]


@given(ENTRIES)
def test_rest_excludes_entries(entries):
    rest = json.loads(without_evidence(document(entries)))

    assert rest == {"summary": HOSTILE_SUMMARY, "faq": []}
