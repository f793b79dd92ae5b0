"""Known values that decide about publication, and unknown ones."""

import pytest

from review_exports import formats
from review_exports.formats.base import fold_value
from review_exports.vocabulary import load

TABLE = load("formats/formats.toml")
VALUES = TABLE["values"]
# In these columns a blank cell means that nothing hides the review. In all others it does not
# permit publication.
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
def test_values_are_public_or_hidden(name):
    assert set(words(VALUES[name]["public"])).isdisjoint(words(VALUES[name]["hidden"]))


@pytest.mark.parametrize(("name", "key", "column", "values"), DECIDERS)
def test_deciding_column_knows_values_of_its_set(name, key, column, values):
    decisions = getattr(formats.BY_NAME[name], key)[formats.fold_name(column)]

    assert {word for word, said in decisions.items() if said} == {*words(VALUES[values]["public"])}
    assert not any(decisions[word] for word in words(VALUES[values]["hidden"]))
    assert "xyzzy" not in decisions
    assert decisions.get("") is (True if values in BLANK_PERMITS else None)


@pytest.mark.parametrize(("name", "entry"), ENTRIES.items())
def test_column_has_one_meaning_for_publication(name, entry):
    format_ = formats.BY_NAME[name]

    assert len(format_.decides) >= len(entry.get("decides", {}))  # Folded names are unique.
    assert len(format_.reply_decides) >= len(entry.get("reply_decides", {}))
    assert format_.decides.keys().isdisjoint(format_.reply_decides)
    assert format_.ignored.isdisjoint([*format_.decides, *format_.reply_decides])


@pytest.mark.parametrize(("format_", "signature"), SIGNATURES)
def test_signature_names_belong_to_one_format(format_, signature):
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
def test_spellings_of_value_are_equal(value, folded):
    assert fold_value(value) == folded


@pytest.mark.parametrize("joint", ["-", "\uff3f", " "])
def test_long_text_is_not_a_value(joint):
    assert fold_value(f"public{joint * 300}not") != "public"
    assert fold_value("public" + joint * 250 + "x" * 300) != "public"
