"""The value rules: what a file spells in many ways becomes one value, or is refused."""

import contextlib
import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.importing.values import (
    authors,
    cells,
    dates,
    flags,
    identifiers,
    ratings,
    refusals,
    texts,
    translations,
    web_addresses,
)
from reviews.importing.values.refusals import ValueRefused

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
TODAY = dt.date(2026, 1, 1)


def refused(call, *arguments, **named) -> str:
    with pytest.raises(ValueRefused) as caught:
        call(*arguments, **named)
    assert caught.value.message.endswith(".")
    return caught.value.code


# --- Ratings


@pytest.mark.parametrize(
    ("spelling", "stars"),
    [
        (1, 1),
        (5, 5),
        (4.0, 4),
        ("5", 5),
        (" 3 ", 3),
        ("5.0", 5),
        ("4,0", 4),
        ("ONE", 1),
        ("five", 5),
        ("Three", 3),
        ("4/5", 4),
        ("8/10", 4),
        ("9/10", 5),
        ("7/10", 4),
        ("1/10", 1),
        ("80/100", 4),
        ("4 out of 5", 4),
        ("4,0 von 5", 4),
        ("80%", 4),
        ("80 %", 4),
        ("90%", 5),
        ("★★★★★", 5),
        ("★★★☆☆", 3),
        ("⭐⭐⭐⭐", 4),
        ("⭐️⭐️", 2),
        ("****", 4),
        ("5 stars", 5),
        ("1 star", 1),
        ("5.0 star rating", 5),
        ("4-star", 4),
        ("Five stars", 5),
        ("FIVE_STARS", 5),
        ("one star", 1),
        ("4 ★", 4),
        ("5⭐️", 5),
        ("5 Sterne", 5),
        ("4 out of 5 stars", 4),
        ("Rated 4.0 out of 5", 4),
        ("Recommended", 5),
        ("Not Recommended", 1),
        ("doesn\u2019t recommend", 1),
    ],
)
def test_rating_in_every_spelling(spelling, stars):
    assert ratings.read_rating(spelling) == stars


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        (0, "rating_out_of_range"),
        (6, "rating_out_of_range"),
        (-1, "rating_out_of_range"),
        (10**400, "rating_out_of_range"),
        ("0", "rating_out_of_range"),
        ("6", "rating_out_of_range"),
        ("-2", "rating_out_of_range"),
        ("0/10", "rating_out_of_range"),
        ("11/10", "rating_out_of_range"),
        ("110%", "rating_out_of_range"),
        ("☆☆☆☆☆", "rating_out_of_range"),
        ("★★★★★★", "rating_out_of_range"),
        ("4.5", "rating_not_whole"),
        ("4,5", "rating_not_whole"),
        ("4.5/5", "rating_not_whole"),
        (4.5, "rating_not_whole"),
        ("4.0001", "rating_not_whole"),
        ("excellent", "rating_unreadable"),
        ("STAR_RATING_UNSPECIFIED", "rating_unreadable"),
        ("5/0", "rating_unreadable"),
        ("5 or 4", "rating_unreadable"),
        ("5" * 500, "rating_unreadable"),
        ("\u0665", "rating_unreadable"),
        (float("nan"), "rating_unreadable"),
        (float("inf"), "rating_unreadable"),
        (True, "rating_unreadable"),
        ([5], "rating_unreadable"),
        ({"value": 5}, "rating_unreadable"),
    ],
)
def test_rating_that_could_mean_anything_is_refused(spelling, code):
    assert refused(ratings.read_rating, spelling) == code


def test_half_stars_round_up_only_when_asked():
    assert ratings.read_rating("4.5", round_half_up=True) == 5
    assert ratings.read_rating("4,4", round_half_up=True) == 4
    assert ratings.read_rating(2.5, round_half_up=True) == 3
    assert refused(ratings.read_rating, "0.4", round_half_up=True) == "rating_out_of_range"


@pytest.mark.parametrize(
    ("value", "best", "stars"),
    [("8", "10", 4), (8, 10, 4), ("9", 10.0, 5), (5, "5", 5), (5, None, 5), (100, 100, 5)],
)
def test_rating_on_the_scale_that_the_file_names(value, best, stars):
    assert ratings.read_rating(value, best=best) == stars


@given(st.integers(1, 5), st.integers(1, 200))
def test_any_scale_gives_the_share_of_five_rounded_half_up(stars, factor):
    assert ratings.read_rating(f"{stars * factor}/{5 * factor}") == stars


@given(st.text(max_size=30))
def test_a_rating_is_one_to_five_or_refused(text):
    with contextlib.suppress(ValueRefused):
        assert ratings.read_rating(text) in {1, 2, 3, 4, 5}


# --- Dates


def day(value, *, order="mdy", zone=LOS_ANGELES, naive=dt.UTC, today=TODAY):
    reader = dates.DateReader(time_zone=zone, today=today, naive_zone=naive, order=lambda: order)
    return reader.read(value, "date").date.isoformat()


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("2025-03-02", "2025-03-02"),
        ("2025-3-2", "2025-03-02"),
        ("2025/03/02", "2025-03-02"),
        ("20250302", "2025-03-02"),
        ("2025-03-02T04:30:00Z", "2025-03-01"),
        ("2025-03-02T04:30:00.123456789Z", "2025-03-01"),
        ("2025-03-02T04:30:00.5+00:00", "2025-03-01"),
        ("2024-11-30T23:30:00+05:30", "2024-11-30"),
        ("2024-11-30T03:30:00+0530", "2024-11-29"),
        ("2024-02-29T23:10:00-08:00", "2024-02-29"),
        ("2025-03-20 08:15:00", "2025-03-20"),
        ("2025-03-20 06:15:00", "2025-03-19"),
        ("2025-03-02 10:12:00 UTC", "2025-03-02"),
        ("2025-03-02 02:12:00 UTC", "2025-03-01"),
        ("2025-02-14T05:42:47+0000", "2025-02-13"),
        ("2016-12-31T23:59:60Z", "2016-12-31"),
        ("31.12.2024", "2024-12-31"),
        ("1.2.2025", "2025-02-01"),
        ("01. 02. 2025", "2025-02-01"),
        ("31.12.24", "2024-12-31"),
        ("31.12.2024 14:05 Uhr", "2024-12-31"),
        ("Jan 5, 2024", "2024-01-05"),
        ("January 5th, 2024", "2024-01-05"),
        ("5 January 2024", "2024-01-05"),
        ("Jul 04, 2025", "2025-07-04"),
        ("Jul 05, 2025 09:30 AM", "2025-07-05"),
        ("Jul 05, 2025 12:30 am", "2025-07-04"),
        ("Fri, 05 Jan 2024 10:00:00 +0000", "2024-01-05"),
        ("5. März 2024", "2024-03-05"),
        ("3 de mayo de 2024", "2024-05-03"),
        ("5 janv. 2024", "2024-01-05"),
        ("5 mag 2024", "2024-05-05"),
        ("5 lug. 2024", "2024-07-05"),
        ("5 de março de 2024", "2024-03-05"),
        ("5 de out. de 2024", "2024-10-05"),
        ("5 set 2024", "2024-09-05"),
        ("5 stycznia 2024", "2024-01-05"),
        ("5 sie 2024", "2024-08-05"),
        ("05-Jan-2024", "2024-01-05"),
        ("5-Jan-24", "2024-01-05"),
        ("1900-01-01", "1900-01-01"),
        ("1/5/2025", "2025-01-05"),
        ("01/05/2025 14:00", "2025-01-05"),
        ("1/5/25", "2025-01-05"),
        ("1741996800", "2025-03-14"),
        ("1741996800.0", "2025-03-14"),
        ("1741996800000", "2025-03-14"),
        (1741996800, "2025-03-14"),
        (1741996800123.0, "2025-03-14"),
        (dt.date(2025, 3, 2), "2025-03-02"),
        (dt.datetime(2025, 3, 2, 0, 0), "2025-03-02"),  # noqa: DTZ001
        (dt.datetime(2025, 3, 2, 4, 0), "2025-03-01"),  # noqa: DTZ001
        ("2026-01-02", "2026-01-02"),
    ],
)
def test_date_in_every_spelling(spelling, expected):
    assert day(spelling) == expected


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        ("2025-02-30", "date_invalid"),
        ("2025-13-01", "date_invalid"),
        ("30.02.2025", "date_invalid"),
        ("13/13/2025", "date_invalid"),
        ("2025-01-01T25:00:00Z", "date_invalid"),
        ("2025-01-01T10:00:00+99:00", "date_invalid"),
        ("0001-01-01T00:00:00+14:00", "date_invalid"),
        ("9999-12-31T23:59:59-14:00", "date_invalid"),
        ("0025-01-03", "date_invalid"),
        ("1899-12-31", "date_invalid"),
        (dt.date(1899, 12, 30), "date_invalid"),
        ("2023-12", "date_invalid"),
        ("Jan 2024", "date_invalid"),
        ("2024", "date_invalid"),
        ("Foo 5, 2024", "date_invalid"),
        ("45000", "date_invalid"),
        (45000, "date_invalid"),
        (0, "date_invalid"),
        (float("nan"), "date_invalid"),
        (float("inf"), "date_invalid"),
        (True, "date_invalid"),
        ([2025], "date_invalid"),
        ("1.74E+09", "date_invalid"),
        ("x" * 1000, "date_invalid"),
        ("\u0662\u0660\u0662\u0665-\u0660\u0661-\u0660\u0661", "date_invalid"),
        ("3 weeks ago", "date_relative"),
        ("a year ago", "date_relative"),
        ("yesterday", "date_relative"),
        ("vor 3 Wochen", "date_relative"),
        ("il y a 2 mois", "date_relative"),
        ("hace 2 meses", "date_relative"),
        ("2199-01-01", "date_in_future"),
        ("2026-01-03", "date_in_future"),
        (4102444800, "date_in_future"),
    ],
)
def test_date_that_is_none_or_could_be_two_is_refused(spelling, code):
    assert refused(day, spelling) == code


def test_slashes_follow_the_order_of_the_file():
    assert day("04/05/2024", order="dmy") == "2024-05-04"
    assert day("04/05/2024", order="mdy") == "2024-04-05"
    assert day("04-05-2024", order="dmy") == "2024-05-04"


def test_order_is_not_asked_where_it_does_not_matter():
    assert day("05/05/2024", order=None) == "2024-05-05"


def test_time_without_offset_is_one_of_the_format():
    assert day("2025-01-05 22:41:13") == "2025-01-05"
    assert day("2025-01-05 22:41:13", zone=dt.UTC, naive=LOS_ANGELES) == "2025-01-06"


@pytest.mark.parametrize(
    ("value", "order"),
    [
        ("13/02/2025", "dmy"),
        ("02/13/2025", "mdy"),
        ("02-13-2025", "mdy"),
        ("04/05/2024", "ambiguous"),
        ("05/05/2024", "either"),
        ("2024/05/04", None),
        ("31.12.2024", None),
        ("text", None),
        (None, None),
    ],
)
def test_slashes_tell_their_order_when_a_number_is_above_twelve(value, order):
    assert dates.slash_order(value) == order


@given(st.dates(dt.date(1990, 1, 1), TODAY))
def test_every_spelling_of_a_day_gives_that_day(date):
    for spelling in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%b %d, %Y", "%d %B %Y", "%Y%m%d"):
        assert day(date.strftime(spelling)) == date.isoformat()


@given(
    st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2025, 12, 31)),  # noqa: DTZ001
    st.timezones(),
)
def test_an_instant_gives_the_day_in_the_business_zone(moment, zone):
    instant = moment.replace(tzinfo=dt.UTC)

    assert day(instant.isoformat(), zone=zone) == instant.astimezone(zone).date().isoformat()
    assert day(moment.strftime("%Y-%m-%d %H:%M:%S UTC"), zone=zone) == day(
        instant.replace(microsecond=0).isoformat(), zone=zone
    )


@given(st.text(max_size=30))
def test_a_date_is_read_or_refused(text):
    with contextlib.suppress(ValueRefused):
        assert day(text) <= "2026-01-02"


# --- Texts


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("  Fine work. \n", "Fine work."),
        ("one\r\ntwo\rthree\x85four", "one\ntwo\nthree\nfour"),
        ("Fair &amp; tidy", "Fair & tidy"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("It&#39;s&nbsp;fine", "It's\xa0fine"),
        ("one<br>two<BR />three", "one\ntwo\nthree"),
        ("<p>one</p><p class='x'>two</p>", "one\n\ntwo"),
        ('<b>bold</b> <a href="http://x.example">link</a>', "bold link"),
        ("I <3 this, 4 < 5 > 3", "I <3 this, 4 < 5 > 3"),
        ("cut \ud83d here\ufffe", "cut  here"),
        ("👎🏽 ok", "👎🏽 ok"),
        ("\u05e9\u05dc\u05d5\u05dd \u202bok", "\u05e9\u05dc\u05d5\u05dd \u202bok"),
        (42, "42"),
        (None, ""),
    ],
)
def test_text_is_cleaned(raw, clean):
    assert texts.clean_text(raw, "text") == clean


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x0b", "\x1b", "\x7f", "\x9b"])
def test_control_characters_are_refused(character):
    assert refused(texts.clean_text, f"a{character}b", "text") == "control_character"
    assert refused(texts.literal_text, f"a{character}b", "text") == "control_character"


def test_text_of_twenty_thousand_characters_is_the_longest():
    assert len(texts.clean_text("x" * 20_000, "text")) == 20_000
    assert refused(texts.clean_text, "x" * 20_001, "text") == "text_too_long"


@pytest.mark.parametrize("value", [True, [], {}, float("nan"), float("inf")])
def test_text_of_another_type_is_refused(value):
    assert refused(texts.clean_text, value, "text") == "wrong_type"


@given(st.text(max_size=200))
def test_clean_text_holds_nothing_that_a_document_cannot_carry(text):
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
    ],
)
def test_title_stands_in_front_of_the_text(title, text, whole):
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
    assert translations.split_translation(text) == (original, translated, is_translation_only)


# --- Authors, addresses, ids


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("  Pim   Haverkort ", "Pim Haverkort"),
        ("O&#39;Brien", "O'Brien"),
        ("", "Anonymous"),
        (None, "Anonymous"),
        ("ada@mail.example", "Anonymous"),
        ("Ada <ada@mail.example>", "Ada"),
        ("ada @ mail.example", "Anonymous"),
        ("ada@home", "Anonymous"),
        ("@ada", "@ada"),
        ("Tom @ Joe's", "Tom @ Joe's"),
        ("+1 (555) 010-0199", "Anonymous"),
        ("(555) 010-0199", "Anonymous"),
        ("203.0.113.7", "Anonymous"),
        ("2001:db8::1", "Anonymous"),
        ("Agent 47", "Agent 47"),
        ("x" * 300, "x" * 200),
    ],
)
def test_author_is_a_name_and_never_an_address(raw, name):
    assert authors.clean_author(raw) == name


@pytest.mark.parametrize(
    "url",
    [
        "https://maps.example/r/1?hl=en#x",
        "http://x.example:8080/ä",
        "https://bücher.example/",
        "HTTPS://X.example",
    ],
)
def test_web_address_is_kept(url):
    assert web_addresses.clean_url(f" {url} ", "source_url") == url


@pytest.mark.parametrize("url", ["", None, "-", "n/a", "None"])
def test_no_web_address_is_none(url):
    assert web_addresses.clean_url(url, "source_url") == ""


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("javascript:alert(1)", "url_scheme"),
        (" JavaScript:alert(1)", "url_scheme"),
        ("data:text/html,x", "url_scheme"),
        ("ftp://x.example", "url_scheme"),
        ("mailto:ada@mail.example", "url_scheme"),
        ("www.x.example", "url_scheme"),
        ("//x.example", "url_scheme"),
        ("https://", "url_invalid"),
        ("https://x.example/a b", "url_invalid"),
        ('https://x.example/"onload=', "url_invalid"),
        ("https://[::1", "url_invalid"),
        ("https://x.example/" + "a" * 1000, "url_invalid"),
        ("https://x.example/\x00", "url_invalid"),
        ("https://ada@mail.example/", "url_invalid"),
    ],
)
def test_other_addresses_are_refused(url, code):
    assert refused(web_addresses.clean_url, url, "source_url") == code


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
        ("x" * 255, "x" * 255),
        ("x" * 256, "sha1:53dab551701657356ed8b75653865a2e7a9c2f42"),
    ],
)
def test_id_fits_the_merge_key(raw, external_id):
    assert identifiers.clean_external_id(raw) == external_id


def test_id_with_an_address_in_it_is_kept_as_its_hash():
    assert "@" not in identifiers.clean_external_id("ada@mail.example-1")


def test_id_with_a_control_character_is_refused():
    assert refused(identifiers.clean_external_id, "a\x00b") == "control_character"
    assert refused(identifiers.clean_external_id, "a\ud800b") == "control_character"


def test_synthetic_id_is_the_same_for_the_same_parts():
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
def test_flag_is_yes_no_or_unsaid(value, flag):
    assert flags.read_flag(value) is flag


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "'=x", "''@"])
def test_guarded_cell_is_no_formula(text):
    assert cells.guard_cell(text) == "'" + text


@given(st.text(alphabet="'=+-@\t\rab", max_size=6))
def test_guarded_cell_comes_back_as_it_was(text):
    guarded = cells.guard_cell(text)

    assert cells.unguard_cell(guarded) == text
    assert guarded[:1] not in set("=+-@\t\r")


@given(st.one_of(st.text(), st.integers(), st.floats(), st.lists(st.integers()), st.none()))
def test_shown_value_is_one_short_printable_line(value):
    shown = refusals.shown(value)

    assert len(shown) <= 80
    assert shown.isprintable()
