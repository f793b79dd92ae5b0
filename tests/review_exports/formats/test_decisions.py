"""Values of publication that the formats list, and those that none lists."""

import pytest

from review_exports import formats
from review_exports.formats.base import fold_value
from review_exports.vocabulary import load

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
