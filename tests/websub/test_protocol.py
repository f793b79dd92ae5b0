"""Subscription requests and their fields, parsed."""

import datetime as dt
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guarded_http import retry_after_seconds
from tests.websub.forms import BASE, CALLBACK, TOPICS, VALID, form, parse, refusal
from websub.protocol import FORM, KNOWN, RequestRefused, with_query


@pytest.mark.parametrize(
    "more",
    [
        *(b"&hub.foo=bar", b"&hub.verify=sync&hub.verify=async", b"&hub.foo=%FF%00", b"&%FF=%FF"),
        *(b"&HUB.MODE=publish", b"&=&&&a&", b"&" * 1000),
    ],
)
def test_unknown_fields_are_ignored(more):
    assert parse(form() + more) == parse(form())


@pytest.mark.parametrize(
    "parameters",
    [
        "",
        " ; charset=UTF-8",
        ";charset=utf-8",
        '; charset="utf-8"',
        "; charset=us-ascii",
        "; x=latin1",
    ],
)
def test_form_is_accepted_with_any_spelling_of_utf_8(parameters):
    assert parse(form(), f" {FORM}{parameters}").callback == CALLBACK


@pytest.mark.parametrize(
    "topic",
    [
        *(f"{BASE}%2Ffeed.xml", f"{BASE}/feed%252Exml", f"{BASE}/feed.xml/", f"{BASE}/FEED.xml"),
        *(
            "https://REVIEWS.example/feed.xml",
            "http://reviews.example/feed.xml",
            f"{BASE}/feed.xml\n",
        ),
    ],
)
def test_unknown_topic_is_refused_with_list_of_topics(topic):
    sentence = (
        "hub.topic must be one of https://reviews.example/feed.json, "
        "https://reviews.example/feed.xml, https://reviews.example/reviews.json."
    )
    assert refusal(form(topic=topic)) == (400, sentence)


@pytest.mark.parametrize("secret", ["s" * 200, "\u00e9" * 100, "\U0001f511" * 50])
def test_secret_of_200_bytes_is_refused(secret):
    assert refusal(form(secret=secret)) == (
        400,
        "hub.secret must be 1 to 199 bytes long; leave it out for none.",
    )


@pytest.mark.parametrize(
    "lease",
    ["0", "000", "-1", "+1", "1.5", "1e3", " 60", "60 ", "6_0", "ten", "0x10", "\u0661", "NaN"],
)
def test_lease_must_be_a_positive_integer(lease):
    assert refusal(form(lease_seconds=lease)) == (
        400,
        "hub.lease_seconds must be a positive whole number of seconds.",
    )


@given(st.one_of(st.binary(), st.binary().map(lambda more: form() + b"&" + more)), st.text())
@example(b"%", FORM)
@example(form(lease_seconds="9" * 5000), FORM)
def test_any_body_is_parsed_or_refused(body, content_type):
    for kind in (FORM, content_type):
        try:
            request = parse(body, kind)
        except RequestRefused:
            continue
        assert request.topic in TOPICS


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("120", 120), (" 0 ", 0), ("1.5", 0), ("\u0661", 0), ("", 0)),
        *(("Fri, 01 May 2026 00:02:00 GMT", 120), ("Friday, 01-May-26 00:02:00 GMT", 120)),
        *(("Fri May  1 00:02:00 2026", 120), ("Thu, 30 Apr 2026 00:02:00 GMT", 0)),
    ],
)
def test_retry_after_is_seconds_or_any_http_date(text, seconds):
    assert retry_after_seconds(text, dt.datetime(2026, 5, 1, tzinfo=dt.UTC)) == seconds


# --- Refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hub.mode", "hub.callback", "hub.topic"])
def test_missing_or_empty_required_field_is_named(name):
    short = name.removeprefix("hub.")

    assert refusal(form(**{short: None})) == (400, f"{name} is missing or empty.")
    assert refusal(form(**{short: ""})) == (400, f"{name} is missing or empty.")


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_repeated_field_is_refused_even_when_both_are_equal(name):
    optional = {"secret": "s", "lease_seconds": "60"}
    given_twice = form(**optional) + b"&" + name.encode() + b"="

    assert refusal(given_twice) == (400, f"{name} is given more than once.")


@pytest.mark.parametrize("mode", ["Subscribe", "subscribe ", "delete", "denied", "subscribe\n"])
def test_unknown_mode_is_refused(mode):
    assert refusal(form(mode=mode)) == (400, "hub.mode must be subscribe or unsubscribe.")


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_nul_and_invalid_utf_8_are_refused_by_field(name):
    others = {field: value for field, value in VALID.items() if field != name}
    start = urlencode(others).encode() + b"&" + name.encode() + b"="

    assert refusal(start + b"a%00b") == (400, f"{name} holds a NUL character.")
    assert refusal(start + b"a\0b") == (400, f"{name} holds a NUL character.")
    for broken in (b"%FF", b"\xff", b"%C3", b"%ED%A0%80", b"%C0%80"):
        assert refusal(start + broken) == (400, f"{name} is not valid UTF-8.")


@pytest.mark.parametrize(
    "content_type",
    ["", "application/json", "multipart/form-data; boundary=x", f"{FORM}, text/plain"],
)
def test_other_content_type_is_refused(content_type):
    sentence = "The body must be sent as application/x-www-form-urlencoded."

    assert refusal(form(), content_type) == (415, sentence)


@pytest.mark.parametrize("charset", ["iso-8859-1", '"latin1"', "utf-16", "utf-8x", "", "utf-7"])
def test_other_charset_is_refused(charset):
    assert refusal(form(), f"{FORM}; charset={charset}") == (415, "The body must be sent as UTF-8.")
    assert refusal(form(), f"{FORM};a=b;CHARSET = {charset}")[0] == 415


def test_body_is_limited_to_64_kb():
    body = form() + b"&padding="
    body += b"x" * (65_536 - len(body))

    assert parse(body) == parse(form())
    assert refusal(body + b"x") == (413, "The body is longer than 65536 bytes.")


def test_fields_are_limited_to_100():
    body = form() + b"&a=1" * 97

    assert parse(body) == parse(form())
    assert refusal(body + b"&a=1") == (413, "The body has more than 100 fields.")


# --- Texts that the hub sends ---------------------------------------------------------------------


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
QUERY_PARTS = st.lists(
    st.sampled_from(["a", "b=c", "&", "=", "?", "%7e", "%26", "+", ";", "hub.mode=x"])
)


@given(QUERY_PARTS, TEXT, TEXT)
def test_query_of_callback_precedes_hub_parameters(parts, topic, reason):
    query = "".join(parts)
    callback = f"https://h.example/p?{query}"

    parameters = {"hub.mode": "denied", "hub.topic": topic, "hub.reason": reason}
    requested = with_query(callback, parameters)

    assert requested.startswith(callback)
    assert requested.isascii()
    own = parse_qsl(query, keep_blank_values=True)
    assert parse_qsl(urlsplit(requested).query, keep_blank_values=True) == [
        *own,
        *parameters.items(),
    ]
