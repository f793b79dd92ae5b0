"""Languages of reviews, detected in short texts."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.languages import detect_language, language_of, primary_tag

REVIEWS = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text) for language, texts in REVIEWS.items() for text in texts],
)
def test_language_of_short_review_is_detected(language, text):
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text", ["", "👍", "5/5", "A+", "!!!", "Kwyjibo", "12.04.2026", "http://a.example", "\u0300"]
)
def test_text_without_evidence_is_undetermined(text):
    assert detect_language(text) == "und"


@pytest.mark.parametrize(
    ("tag", "primary"),
    [
        ("en", "en"), ("en-GB", "en"), ("PT_br", "pt"), ("zh-Hans-CN", "zh"), ("iw", "he"),
        ("nb-NO", "no"), ("fil", "tl"), ("", ""), ("und", ""), ("English", ""), ("x", ""),
        ("de-", "de"), ("123", ""),
    ],
)  # fmt: skip
def test_primary_tag_is_the_language_of_a_tag(tag, primary):
    assert primary_tag(tag) == primary


@pytest.mark.parametrize(
    ("text", "tag", "language"),
    [
        ("", "en", ""),
        ("Kwyjibo", "sv", "sv"),
        ("Kwyjibo", "", "und"),
        ("Sehr freundlich und pünktlich.", "en-US", "de"),
        ("Service ongelooflik goed, baie dankie", "af", "af"),
    ],
)
def test_language_of_source_is_used_unless_words_contradict(text, tag, language):
    assert language_of(text, tag) == language


@given(text=st.text(), tag=st.text(max_size=8))
def test_any_text_has_valid_language_tag(text, tag):
    language = language_of(text, tag)

    assert (language == "") == (text == "")
    assert language in {"", "und"} or primary_tag(language) == language
    assert len(language) <= 3
