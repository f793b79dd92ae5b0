"""The texts that the hub sends, and the topics that it names."""

import hashlib
import hmac
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websub.protocol import (
    SIGNATURE_METHODS,
    decode_unreserved,
    denial_parameters,
    link_header,
    signature,
    verification_parameters,
    with_query,
)

BASE = "https://reviews.example"
TOPICS = (f"{BASE}/feed.xml", f"{BASE}/feed.json", f"{BASE}/reviews.json")
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


# --- Topics ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "decoded"),
    [
        ("a%2Eb%2eb", "a.b.b"),
        ("%7e%7E%2D%5F%30%41", "~~-_0A"),
        ("%2F%3A%3f%23%5B%40%21%24%26%27%28%29%2A%2B%2C%3B%3D", None),
        ("%252E", "%252E"),
        ("%%2E", "%."),
        ("%25%32%45", "%252E"),
        ("%", "%"),
        ("%2", "%2"),
        ("%GG", "%GG"),
        ("%C3%A9", "%C3%A9"),
        ("%20%00", "%20%00"),
    ],
)
def test_only_escapes_of_unreserved_characters_are_decoded(url, decoded):
    assert decode_unreserved(url) == (decoded or url)


@given(st.text())
def test_decoding_keeps_what_has_no_escapes_and_never_fails(text):
    if "%" not in text:
        assert decode_unreserved(text) == text
    assert len(decode_unreserved(text)) <= len(text)


# --- Parameters of the hub ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("callback", "requested"),
    [
        ("https://h.example", "https://h.example?hub.mode=denied"),
        ("https://h.example/", "https://h.example/?hub.mode=denied"),
        ("https://h.example/a?", "https://h.example/a?hub.mode=denied"),
        ("https://h.example/a?b", "https://h.example/a?b&hub.mode=denied"),
        ("https://h.example/a?b=c", "https://h.example/a?b=c&hub.mode=denied"),
        ("https://h.example/a?b=c&", "https://h.example/a?b=c&hub.mode=denied"),
        ("https://h.example/a?&", "https://h.example/a?&hub.mode=denied"),
        ("https://h.example/a?b=c?", "https://h.example/a?b=c?&hub.mode=denied"),
        ("https://h.example?b=%7e%7E%2f+;", "https://h.example?b=%7e%7E%2f+;&hub.mode=denied"),
        (
            "https://h.example/?hub.mode=mine&hub.challenge=c",
            "https://h.example/?hub.mode=mine&hub.challenge=c&hub.mode=denied",
        ),
    ],
)
def test_parameters_come_at_the_end_of_a_query_that_stays_as_it_is(callback, requested):
    assert with_query(callback, {"hub.mode": "denied"}) == requested


def test_values_are_escaped_so_that_they_come_back_as_they_were():
    parameters = verification_parameters("subscribe", f"{BASE}/feed%2Exml?a=b&c d", "a/b+c=-_~", 60)

    assert with_query("https://h.example/", parameters) == (
        "https://h.example/?hub.mode=subscribe"
        "&hub.topic=https%3A%2F%2Freviews.example%2Ffeed%252Exml%3Fa%3Db%26c%20d"
        "&hub.challenge=a%2Fb%2Bc%3D-_~&hub.lease_seconds=60"
    )


QUERY_PARTS = st.lists(
    st.sampled_from(["a", "b=c", "&", "=", "?", "%7e", "%26", "+", ";", "hub.mode=x"])
)


@given(QUERY_PARTS, TEXT, TEXT)
def test_query_of_the_callback_comes_before_the_hubs_parameters(parts, topic, reason):
    query = "".join(parts)
    callback = f"https://h.example/p?{query}"

    requested = with_query(callback, denial_parameters(topic, reason))

    assert requested.startswith(callback)
    assert requested.isascii()
    own = parse_qsl(query, keep_blank_values=True)
    assert parse_qsl(urlsplit(requested).query, keep_blank_values=True) == [
        *own,
        ("hub.mode", "denied"),
        ("hub.topic", topic),
        ("hub.reason", reason),
    ]


def test_an_unsubscription_is_verified_with_the_same_parameters():
    assert verification_parameters("unsubscribe", TOPICS[0], "c", 60) == {
        "hub.mode": "unsubscribe",
        "hub.topic": TOPICS[0],
        "hub.challenge": "c",
        "hub.lease_seconds": "60",
    }


def test_one_link_header_names_hub_and_topic():
    assert link_header(f"{BASE}/api/websub/hub", TOPICS[0]) == (
        '<https://reviews.example/api/websub/hub>; rel="hub", '
        '<https://reviews.example/feed.xml>; rel="self"'
    )


# RFC 2202 3 and RFC 4231 4.3: the key "Jefe".
VECTORS = {
    "sha1": "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
    "sha256": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    "sha384": (
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
        "8e2240ca5e69e2c78b3239ecfab21649"
    ),
    "sha512": (
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
}


@pytest.mark.parametrize("method", SIGNATURE_METHODS)
def test_signatures_are_those_of_the_published_vectors(method):
    body = b"what do ya want for nothing?"

    assert signature("Jefe", body, method) == f"{method}={VECTORS[method]}"


def test_every_method_of_the_standard_has_a_vector():
    assert tuple(VECTORS) == SIGNATURE_METHODS


@given(TEXT, st.binary(), st.sampled_from(SIGNATURE_METHODS))
def test_a_subscriber_with_the_secret_can_check_a_signature(secret, body, method):
    name, _, digest = signature(secret, body, method).partition("=")

    key = secret.encode("utf-8")
    expected = hmac.new(key, body, getattr(hashlib, name)).digest()
    assert hmac.compare_digest(bytes.fromhex(digest), expected)
