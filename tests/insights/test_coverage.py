"""A preview reports reviews that words find, sentences without findings, and missing words."""

from insights.coverage import coverage
from review_analysis.name_matching import AreaEntry, PersonEntry, Roster

PRICE = {"id": "price", "label": "Price", "terms": ["price", "bill"]}
SPEED = {"id": "speed", "label": "Speed", "terms": ["fast"]}
NO_SHOW = {"id": "no_show", "label": "No-show", "terms": ["never came"]}
ROSTER = Roster(
    people=[PersonEntry("kim", "Kim Duct")], areas=[AreaEntry("quarry", "Quarry Point")]
)
TEXTS = [
    "The price was fair. The thermostat is terrible!",
    "They never came about the thermostat. Kim was there on Monday.",
    "Great thermostat at Quarry Point. The bill was high.",
    "The price of the fence was fair.",
]


def look(aspects=(PRICE,), before=(PRICE,), texts=TEXTS):
    now = {"aspects": aspects, "problems": [NO_SHOW], "topics": []}
    return coverage(now, {"aspects": before}, ROSTER, texts)


def test_entries_count_reviews_now_and_before():
    found = look(aspects=(PRICE, SPEED), before=(PRICE | {"terms": ["price"]},))

    counts = [(e["group"], e["id"], e["reviews"], e["before"]) for e in found["matched"]]
    assert counts == [
        ("aspects", "price", 3, 2),
        ("aspects", "speed", 0, 0),
        ("problems", "no_show", 1, 0),
    ]
    assert found["changed"] == [found["matched"][0], found["matched"][2]]
    assert found["matched"][0]["examples"] == [
        "The price was fair.",
        "The bill was high.",
        "The price of the fence was fair.",
    ]


def test_sentences_without_aspect_are_ordered_by_opinion():
    found = look()

    assert (found["reviews"], found["sentences"], found["unmatched_count"]) == (4, 7, 4)
    assert set(found["unmatched"][:3]) == {
        "The thermostat is terrible!",
        "Great thermostat at Quarry Point.",
        "They never came about the thermostat.",
    }
    assert found["unmatched"][3] == "Kim was there on Monday."


def test_suggested_words_are_shared_nouns_of_sentences_without_findings():
    assert [(each["term"], each["reviews"]) for each in look()["suggestions"]] == [
        ("thermostat", 3)
    ]


def test_pair_replaces_its_words():
    texts = [f"I like the water heater {word}." for word in ("a", "b", "c")]

    assert [each["term"] for each in look(texts=texts)["suggestions"]] == ["water heater"]
