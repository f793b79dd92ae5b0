import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.values import ValueRefused, texts
from tests.review_exports.values.spellings import assert_refused, parametrize_spellings


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        *parametrize_spellings("texts"),
        ("cut \ud83d here\ufffe", "cut  here"),
        (42, "42"),
        (None, ""),
    ],
)
def test_text_is_normalized(raw, clean):
    assert texts.clean_text(raw, "text") == clean


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x0b", "\x1b", "\x7f", "\x9b"])
def test_control_characters_are_refused(character):
    assert assert_refused(texts.clean_text, f"a{character}b", "text") == "control_character"
    assert assert_refused(texts.literal_text, f"a{character}b", "text") == "control_character"


@pytest.mark.parametrize("cell", ["#NAME?", " #N/A ", "#REF!"])
def test_spreadsheet_error_values_are_refused(cell):
    assert assert_refused(texts.clean_text, cell, "text") == "cell_error"
    assert texts.clean_text(f"{cell} is all I see", "text")


def test_text_is_limited_to_twenty_thousand_characters():
    assert len(texts.clean_text("x" * 20_000, "text")) == 20_000
    assert assert_refused(texts.clean_text, "x" * 20_001, "text") == "text_too_long"


@pytest.mark.parametrize("value", [True, [], {}, float("nan"), float("inf")])
def test_text_of_other_type_is_refused(value):
    assert assert_refused(texts.clean_text, value, "text") == "wrong_type"


@given(st.text(max_size=200))
def test_clean_text_has_only_characters_of_documents(text):
    try:
        clean = texts.clean_text(text, "text")
    except ValueRefused:
        return
    assert clean == clean.strip()
    assert not any(
        (ord(character) < 32 and character not in "\t\n")
        or 0x7F <= ord(character) <= 0x9F
        or character in "\ufffe\uffff"
        for character in clean
    )
    clean.encode()


@given(st.text(max_size=200))
def test_literal_text_is_kept_or_refused(text):
    try:
        kept = texts.literal_text(text, "text")
    except ValueRefused:
        return
    assert kept == "".join(
        c for c in text if c not in "\ufffe\uffff" and not 0xD800 <= ord(c) < 0xE000
    )


@pytest.mark.parametrize(
    ("title", "text", "whole"),
    [
        ("Great", "Filter arrived.", "Great\n\nFilter arrived."),
        ("", "Filter arrived.", "Filter arrived."),
        ("Great", "", "Great"),
        ("Filter arr…", "Filter arrived.", "Filter arrived."),
        ("Filter arrived.", "Filter arrived.", "Filter arrived."),
        ("Crash", "Crashes on open", "Crash\n\nCrashes on open"),
        ("Crash…", "Crashes on open", "Crashes on open"),
        ("Crash", "Crash! On open", "Crash! On open"),
    ],
)
def test_title_precedes_text(title, text, whole):
    assert texts.with_title(title, text) == whole


@pytest.mark.parametrize(
    ("text", "original", "translated", "is_translation_only"),
    [
        ("(Translated by Google) Good.\n\n(Original)\nGut.", "Gut.", "Good.", False),
        ("Gut.\n\n(Translated by Google)\nGood.", "Gut.", "Good.", False),
        ("(Translated by Google) Good.", "Good.", "", True),
        ("Gut.", "Gut.", "", False),
        ("(Translated by Google)", "", "", True),
    ],
)
def test_translation_envelope_in_its_three_shapes(text, original, translated, is_translation_only):
    assert texts.split_translation(text) == (original, translated, is_translation_only)


@pytest.mark.parametrize(("marker", "sign"), parametrize_spellings("translations"))
def test_translation_envelope_is_known_in_every_language(marker, sign):
    both = ("Gut.", "Bon.", False)

    assert texts.split_translation(f"{marker} Bon.\n\n{sign}\nGut.") == both
    assert texts.split_translation(f"Gut.\n\n{marker}\nBon.") == both
    assert texts.split_translation(f"{marker} Bon.") == ("Bon.", "", True)


def test_text_about_google_is_not_a_translation():
    text = "Found them (thanks, Google) and (Original) parts"

    assert texts.split_translation(text) == (text, "", False)


@given(st.lists(st.sampled_from(["one", "two", "&amp", "&#x41;", "<", ">", " ", "\n"])))
def test_plain_text_is_decoded_unchanged(parts):
    text = texts.clean_text("".join(parts), "text")

    assert text.count("one") == parts.count("one")
    assert text.count("two") == parts.count("two")
