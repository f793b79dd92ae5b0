"""Subscription requests that are refused, each with its sentence."""

from urllib.parse import urlencode

import pytest

from tests.websub.forms import POLICY, TOPICS, VALID, form, parse, refusal
from websub.protocol import (
    FORM,
    KNOWN,
    RequestRefused,
    parse_request,
)


@pytest.mark.parametrize("name", ["hub.mode", "hub.callback", "hub.topic"])
def test_missing_or_empty_required_field_is_named(name):
    short = name.removeprefix("hub.")

    assert refusal(form(**{short: None})) == (400, f"{name} is missing or empty.")
    assert refusal(form(**{short: ""})) == (400, f"{name} is missing or empty.")


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_a_repeated_field_is_refused_even_when_both_are_equal(name):
    optional = {"secret": "s", "lease_seconds": "60"}
    given_twice = form(**optional) + b"&" + name.encode() + b"="

    assert refusal(given_twice) == (400, f"{name} is given more than once.")


@pytest.mark.parametrize("mode", ["Subscribe", "subscribe ", "delete", "denied", "subscribe\n"])
def test_an_unknown_mode_is_refused(mode):
    assert refusal(form(mode=mode)) == (400, "hub.mode must be subscribe or unsubscribe.")


def test_publishing_by_hand_is_refused_with_the_reason():
    sentence = (
        "hub.mode=publish is not served: this hub publishes its own topics alone, "
        "and sees their changes by itself."
    )
    assert refusal(b"hub.mode=publish&hub.url=https%3A%2F%2Fa.example%2F") == (400, sentence)


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
    [
        "",
        "application/json",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded, text/plain",
    ],
)
def test_another_body_type_is_refused(content_type):
    sentence = "The body must be sent as application/x-www-form-urlencoded."

    assert refusal(form(), content_type) == (415, sentence)


@pytest.mark.parametrize(
    "encoding", ["gzip", "br", "GZIP", "x-gzip", "identity, gzip", "aes128gcm"]
)
def test_a_compressed_body_is_refused(encoding):
    with pytest.raises(RequestRefused) as refused:
        parse_request(FORM, form(), topics=TOPICS, policy=POLICY, content_encoding=encoding)

    assert (refused.value.status, str(refused.value)) == (
        415,
        "The body must not be compressed: send it without Content-Encoding.",
    )


@pytest.mark.parametrize("charset", ["iso-8859-1", '"latin1"', "utf-16", "utf-8x", "", "utf-7"])
def test_another_charset_is_refused(charset):
    assert refusal(form(), f"{FORM}; charset={charset}") == (415, "The body must be sent as UTF-8.")
    assert refusal(form(), f"{FORM};a=b;CHARSET = {charset}")[0] == 415


def test_a_body_of_64_kb_is_taken_and_one_byte_more_is_not():
    body = form() + b"&padding="
    body += b"x" * (65_536 - len(body))

    assert parse(body) == parse(form())
    assert refusal(body + b"x") == (413, "The body is longer than 65536 bytes.")


def test_100_fields_are_taken_and_one_more_is_not():
    body = form() + b"&a=1" * 97

    assert parse(body) == parse(form())
    assert refusal(body + b"&a=1") == (413, "The body has more than 100 fields.")
