"""Values of publication that the formats list, and those that none lists."""

import pytest

from review_exports import formats
from review_exports.formats.base import fold_value
from review_exports.vocabulary import load
from tests.review_exports.exports import read

TABLE = load("formats/formats.toml")
VALUES = TABLE["values"]
# Of these a blank cell says that nothing hides the review; of all others it is no permission.
BLANK_PERMITS = {"hides", "deleted_on", "comment_type"}
ENTRIES = {entry["name"]: entry for entry in TABLE["formats"]}
DECIDERS = [
    (name, key, column, values)
    for name, entry in ENTRIES.items()
    for key in ("decides", "reply_decides")
    for column, values in entry.get(key, {}).items()
]
SIGNATURES = [
    (format_, signature) for format_ in formats.BY_SIGNATURE for signature in format_.signatures
]


def words(text):
    return [fold_value(word) for word in text.split(",")]


@pytest.mark.parametrize("name", VALUES)
def test_no_value_is_both_public_and_hidden(name):
    assert set(words(VALUES[name]["public"])).isdisjoint(words(VALUES[name]["hidden"]))


@pytest.mark.parametrize(("name", "key", "column", "values"), DECIDERS)
def test_deciding_column_knows_the_values_of_its_set_and_no_others(name, key, column, values):
    decisions = getattr(formats.BY_NAME[name], key)[formats.fold_name(column)]

    assert {word for word, said in decisions.items() if said} == {*words(VALUES[values]["public"])}
    assert not any(decisions[word] for word in words(VALUES[values]["hidden"]))
    assert "xyzzy" not in decisions
    assert decisions.get("") is (True if values in BLANK_PERMITS else None)


@pytest.mark.parametrize(("name", "entry"), ENTRIES.items())
def test_column_has_one_meaning_as_to_publication(name, entry):
    format_ = formats.BY_NAME[name]

    assert len(format_.decides) >= len(entry.get("decides", {}))  # No two names fold alike.
    assert len(format_.reply_decides) >= len(entry.get("reply_decides", {}))
    assert format_.decides.keys().isdisjoint(format_.reply_decides)
    assert format_.ignored.isdisjoint([*format_.decides, *format_.reply_decides])


@pytest.mark.parametrize(("format_", "signature"), SIGNATURES)
def test_names_of_a_signature_are_those_of_its_format_alone(format_, signature):
    names = (
        signature
        if signature & {*format_.columns["date"]}
        else {*signature, format_.columns["date"][0]}
    )

    assert formats.recognise(names) is format_


@pytest.mark.parametrize(
    ("value", "folded"),
    [
        (True, "true"),
        (1, "1"),
        (1.0, "1"),
        (0, "0"),
        (-1, "-1"),
        ("-1", "-1"),
        ("NOT_YET", "not yet"),
        (" not--yet ", "not yet"),
        ("\uff30ublic", "public"),
        ("Straße", "strasse"),
        (None, ""),
        ("  ", ""),
        ([], ""),
        (["spam"], "['spam']"),
    ],
)
def test_spellings_of_a_value_are_one(value, folded):
    assert fold_value(value) == folded


@pytest.mark.parametrize("joint", ["-", "\uff3f", " "])
def test_long_text_is_no_short_value(joint):
    assert fold_value(f"public{joint * 300}not") != "public"
    assert fold_value("public" + joint * 250 + "x" * 300) != "public"


WHEN = "2025-01-02T20:00:00Z"
# A public review of each maker whose formats decide, and a column with a value that hides.
MAKERS = {
    "birdeye": ({"sourceType": "Google", "comments": "a", "reviewDate": "Jul 04, 2025", "rating": 5,
                 "status": "published"}, "status", "unpublished"),
    "feefo": ({"merchant": {"identifier": "m"}, "service.rating.rating": 5, "service.review": "a",
               "service.created_at": WHEN, "service.moderation_status": "published"},
              "service.moderation_status", "rejected"),
    "judge.me": ({"curated": "ok", "created_at": WHEN, "body": "a", "rating": 5, "hidden": False},
                 "hidden", True),
    "loox": ({"full_name": "Ada", "verified_purchase": True, "review": "a", "rating": 5,
              "date": WHEN, "status": "Active"}, "status", "Hidden"),
    "partoo": ({"partner": "facebook", "partner_id": 1, "author_name": "Ada", "content": "a",
                "date": WHEN, "rating": 5, "delete_date": None}, "delete_date", WHEN),
    "trustpilot_api": ({"createdAt": WHEN, "stars": 5, "consumer": {"displayName": "Ada"},
                        "status": "active"}, "status", "reported"),
    "yext": ({"publisherId": "FIRSTPARTY", "publisherDate": WHEN, "authorName": "Ada", "rating": 5,
              "status": "LIVE"}, "status", "QUARANTINED"),
    "yotpo": ({"content": "a", "score": 5, "votes_up": 0, "created_at": WHEN, "deleted": False},
              "deleted", True),
}  # fmt: skip


@pytest.mark.parametrize("maker", MAKERS)
def test_only_public_values_of_a_maker_are_published(maker):
    public, column, hidden = MAKERS[maker]
    reading = read([{**public, column: one} for one in (public[column], hidden, "Xyzzy")])

    assert reading.export.format == maker
    assert [record.row for record in reading.records] == [1]
    assert [skip.code for skip in reading.skipped] == ["not_published"] * 2


@pytest.mark.parametrize("maker", MAKERS)
def test_maker_that_says_nothing_of_publication_has_published_it(maker):
    public, column, _ = MAKERS[maker]

    assert read([{k: v for k, v in public.items() if k != column}], accept=False).record
