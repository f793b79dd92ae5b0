"""The demo subscriber and its port."""

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.websub.demo.talking import CHALLENGE, TOPIC, request
from websub import demo_subscriber, protocol
from websub.demo_subscriber import Subscriber, is_signed

# --- The subscriber -------------------------------------------------------------------------------


def test_requested_subscription_is_confirmed_once(subscriber):
    assert subscriber.verify(CHALLENGE) == (200, b"echo me")
    assert subscriber.confirmed.is_set()
    assert subscriber.verify(CHALLENGE) == (404, b"")


@pytest.mark.parametrize(
    "changed", [{"hub.mode": "unsubscribe"}, {"hub.topic": f"{TOPIC}?"}, {"hub.mode": ""}]
)
def test_unrequested_verification_is_not_confirmed(subscriber, changed):
    assert subscriber.verify(CHALLENGE | changed) == (404, b"")
    assert not subscriber.confirmed.is_set()


def test_a_denial_is_said_with_its_reason_and_nothing_a_terminal_acts_upon(subscriber, said):
    query = {"hub.mode": "denied", "hub.topic": TOPIC, "hub.reason": "No\x1b[2J\nmore" + "x" * 999}

    assert subscriber.verify(query) == (200, b"")

    [sentence] = said
    assert sentence.startswith("The hub ended or denied the subscription: No?[2J?morexxx")
    assert len(sentence) < 400


@pytest.mark.parametrize(
    "signature", ["", "sha256=", "sha256=00", "md5=" + "0" * 32, "SHA256=x", "sha256=ÿ"]
)
def test_a_delivery_with_a_wrong_signature_is_ignored_and_acknowledged(subscriber, said, signature):
    assert subscriber.receive(b"<feed/>", "application/atom+xml", signature) == 204
    assert said[-1] == "  The signature is WRONG or missing: the content is ignored."


def test_without_a_secret_nothing_is_signed(said):
    subscriber = Subscriber(TOPIC, "", said.append)

    subscriber.receive(b"<feed/>", "text/\x1bplain", "")

    assert said == [
        "Delivery 1: 7 bytes of text/?plain.",
        "  It is not signed, since no secret was agreed upon.",
    ]


@given(
    body=st.binary(max_size=50),
    other=st.binary(max_size=50),
    secret=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    method=st.sampled_from(["sha1", "sha256", "sha384", "sha512"]),
)
def test_a_signature_of_the_hub_fits_its_body_and_no_other(body, other, secret, method):
    signature = protocol.signature(secret, body, method)

    assert is_signed(body, signature, secret)
    assert is_signed(other, signature, secret) == (other == body)


# --- The listener ---------------------------------------------------------------------------------


def test_the_listener_answers_one_request_after_another_on_one_connection(
    connection, subscriber, said
):
    challenge = request(connection, "GET", f"{subscriber.path}?{urlencode(CHALLENGE)}")
    signed = {"X-Hub-Signature": protocol.signature("shared secret", b"new", "sha512")}
    posted = request(connection, "POST", subscriber.path, b"new", signed)

    assert (challenge, posted) == ((200, b"echo me"), (204, b""))
    assert said[-1] == "  The sha512 signature is right."


def test_the_listener_knows_its_own_path_alone(connection, said):
    assert request(connection, "GET", f"/callback/guess?{urlencode(CHALLENGE)}") == (404, b"")
    assert request(connection, "POST", "/callback/guess", b"new") == (404, b"")
    assert said == []


@pytest.mark.parametrize("length", ["-1", "x", "9" * 30])
def test_the_listener_reads_no_body_of_unknown_or_absurd_length(
    connection, subscriber, said, length
):
    connection.putrequest("POST", subscriber.path)
    connection.putheader("Content-Length", length)
    connection.endheaders()

    assert connection.getresponse().status == 411
    assert said == []


def test_a_port_is_taken_that_a_hub_may_contact(monkeypatch):
    first = demo_subscriber._free_port()
    monkeypatch.setattr(demo_subscriber, "SERVICE_PORTS", {first})

    assert demo_subscriber._free_port() != first
