"""Answers to a challenge that are not the challenge, and how the log names the difference."""

import gzip
import json
import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websub.challenges import EXACTLY, describe_difference

CHALLENGE = "Zb1n_Yk-9vQf3mKpLxT7wR2sUhEoJcDaGiBtNyMeXz0"
PLAIN = CHALLENGE.encode()
PLAIN_TEXT = "; send it as plain text"


@pytest.mark.parametrize(
    ("body", "difference"),
    [
        (b"", "with an empty body"),
        (PLAIN + b"\n", "with a line break after the challenge"),
        (PLAIN + b"\r\n", "with a line break after the challenge"),
        (b"\n" + PLAIN, "with white space around the challenge"),
        (PLAIN + b"\n\n", "with white space around the challenge"),
        (
            b"\xef\xbb\xbf" + PLAIN,
            "with a byte order mark before the challenge; send UTF-8 without BOM",
        ),
        (
            json.dumps(CHALLENGE).encode(),
            f"with the challenge in quotes, as JSON is written{PLAIN_TEXT}",
        ),
        (b"'" + PLAIN + b"'\n", f"with the challenge in quotes, as JSON is written{PLAIN_TEXT}"),
        (b"<p>" + PLAIN + b"</p>", f"with the challenge inside HTML{PLAIN_TEXT}"),
        (b"\n <!doctype html><title>Shop</title>", "with a page of HTML"),
        (
            json.dumps({"hub.challenge": CHALLENGE}).encode(),
            f"with the challenge inside JSON{PLAIN_TEXT}",
        ),
        (
            b"hub.mode=subscribe&hub.challenge=" + PLAIN + b"&hub.lease_seconds=60",
            "with the query of the request; send the value of hub.challenge alone",
        ),
        (b"Your challenge: " + PLAIN, "with more than the challenge"),
        (
            gzip.compress(PLAIN, mtime=0),
            "with a compressed body (gzip), although the request accepts identity alone",
        ),
        (PLAIN.upper(), "with the challenge in other capitals"),
        (CHALLENGE.encode("utf-16-le"), "with the challenge in UTF-16; send it as ASCII"),
        (PLAIN[:20], "with a part of the challenge, which is cut off"),
        (b"OK", "with another text than the challenge"),
    ],
)
def test_difference_is_named(body, difference):
    assert describe_difference(CHALLENGE, body) == f"The callback answered {difference}. {EXACTLY}"


@given(st.binary(max_size=1025), st.text(max_size=20))
def test_any_answer_is_described_without_the_challenge(noise, coding):
    challenge = secrets.token_urlsafe(32)
    for body in (noise, noise + challenge.encode(), challenge.encode() + noise):
        sentence = describe_difference(challenge, body, coding)

        assert challenge not in sentence
        assert len(sentence) <= 300
        assert sentence.isprintable()
