"""The texts that the hub sends, and the topics that it names."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websub.protocol import (
    SIGNATURE_METHODS,
    signature,
    with_query,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


# --- Parameters of the hub ------------------------------------------------------------------------


QUERY_PARTS = st.lists(
    st.sampled_from(["a", "b=c", "&", "=", "?", "%7e", "%26", "+", ";", "hub.mode=x"])
)


@given(QUERY_PARTS, TEXT, TEXT)
def test_query_of_the_callback_comes_before_the_hubs_parameters(parts, topic, reason):
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
