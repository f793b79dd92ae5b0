import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports import values
from review_exports.values import characters, flags, identifiers, people, web_addresses
from tests.review_exports.values.spellings import assert_refused, parametrize_spellings


@pytest.mark.parametrize(
    ("raw", "name"),
    [*parametrize_spellings("authors"), (None, "Anonymous"), ("x" * 300, "x" * 200)],
)
def test_author_is_not_an_email_address(raw, name):
    assert people.clean_author(raw) == name


@pytest.mark.parametrize(
    ("url", "code"),
    [
        *parametrize_spellings("refused_web_addresses"),
        ("https://x.example/" + "a" * 1000, "url_invalid"),
    ],
)
def test_other_urls_are_refused(url, code):
    assert assert_refused(web_addresses.clean_url, url, "source_url") == code


@pytest.mark.parametrize(
    "url",
    [
        "https://maps.example/r/1?hl=en#x",
        "http://x.example:8080/ä",
        "https://bücher.example/",
        "HTTPS://X.example",
    ],
)
def test_web_url_is_kept(url):
    assert web_addresses.clean_url(f" {url} ", "source_url") == url


@pytest.mark.parametrize("url", ["", None, "  "])
def test_missing_web_url_is_none(url):
    assert web_addresses.clean_url(url, "source_url") == ""


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Google", "google"),
        ("judge.me", "judge-me"),
        ("Reviews.io", "reviews-io"),
        ("--A  B!!c--", "a-b-c"),
        ("日本", ""),
        ("x" * 80, "x" * 50),
        ("a" * 49 + " bc", "a" * 49),
    ],
)
def test_source_becomes_a_slug(name, slug):
    assert identifiers.slug(name) == slug


@pytest.mark.parametrize(
    ("raw", "external_id"),
    [
        ("  abc ", "abc"),
        (70011, "70011"),
        (70011.0, "70011"),
        (None, ""),
        ("1.23457E+17", ""),
        ("1,23457e+17", ""),
        (1.23457e17, ""),
        ("4E+", "4E+"),
        ("x" * 255, "x" * 255),
        ("x" * 256, "sha1:53dab551701657356ed8b75653865a2e7a9c2f42"),
    ],
)
def test_id_fits_merge_key(raw, external_id):
    assert identifiers.clean_external_id(raw) == external_id


def test_id_with_email_address_is_hashed():
    assert "@" not in identifiers.clean_external_id("ada@mail.example-1")


def test_id_with_a_control_character_is_refused():
    assert assert_refused(identifiers.clean_external_id, "a\x00b") == "control_character"
    assert assert_refused(identifiers.clean_external_id, "a\ud800b") == "control_character"


def test_synthetic_id_is_deterministic():
    assert (
        identifiers.synthetic_id("google", "Ada", "2025-01-01", "Fine") == "sha1:3641fe4e2e5c9fa7"
    )
    assert identifiers.synthetic_id("a", "b") != identifiers.synthetic_id("ab", "")


@pytest.mark.parametrize(
    ("value", "flag"),
    [
        (True, True),
        ("yes", True),
        ("1", True),
        (1, True),
        ("Ja", True),
        ("no", False),
        (0, False),
        ("", None),
        (None, None),
        ("maybe", None),
        ([], None),
    ],
)
def test_flag_is_true_false_or_none(value, flag):
    assert flags.read_flag(value) is flag


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "'=x", "''@"])
def test_guarded_cell_is_no_formula(text):
    assert characters.guard_cell(text) == "'" + text


@given(st.text(alphabet="'=+-@\t\rab", max_size=6))
def test_guarded_cell_round_trips(text):
    guarded = characters.guard_cell(text)

    assert characters.unguard_cell(guarded) == text
    assert guarded[:1] not in set("=+-@\t\r")


@given(st.one_of(st.text(), st.integers(), st.floats(), st.lists(st.integers()), st.none()))
def test_shown_value_is_one_short_printable_line(value):
    shown = values.shown(value)

    assert len(shown) <= 80
    assert shown.isprintable()
