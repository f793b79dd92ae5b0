"""Differences between a challenge and a callback's answer, in words (plain Python).

Verification compares bytes (WebSub 5.3.1). What differs is usually one small thing that the
subscriber's framework adds, so the sentence names it.
"""

BOM = b"\xef\xbb\xbf"
STARTS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
CODINGS = frozenset({"gzip", "x-gzip", "br", "deflate", "zstd", "compress"})
LINE_BREAKS = (b"\n", b"\r\n", b"\r")
QUOTES = (b'"', b"'", b"`")
EXACTLY = "It must be the value of hub.challenge and nothing else."


def describe_difference(challenge: str, body: bytes, content_encoding: str = "") -> str:
    """A sentence about a 2xx answer that is not the challenge.

    `body` may be cut off. The sentence holds neither the challenge nor anything of the answer.
    """
    difference = _difference(challenge.encode(), body, content_encoding)
    return f"The callback answered {difference}. {EXACTLY}"


def _difference(challenge: bytes, body: bytes, content_encoding: str) -> str:
    coding = _coding(body, content_encoding)
    found = (
        (not body, "with an empty body"),
        (
            bool(coding),
            f"with a compressed body ({coding}), although the request accepts identity alone",
        ),
        (challenge in body, _around(challenge, body)),
        (_looks_like_html(body), "with a page of HTML"),
        (_stripped(body).lower() == challenge.lower(), "with the challenge in other capitals"),
        (
            challenge in body.replace(b"\0", b""),
            "with the challenge in UTF-16; send it as ASCII",
        ),
        (challenge.startswith(body), "with a part of the challenge, which is cut off"),
    )
    return next((words for is_so, words in found if is_so), "with another text than the challenge")


def _coding(body: bytes, content_encoding: str) -> str:
    """The coding of a compressed body by its first bytes, or by its header; empty for none."""
    named = content_encoding.strip().lower()
    by_header = named if named in CODINGS else ""
    return next((name for start, name in STARTS.items() if body.startswith(start)), by_header)


def _around(challenge: bytes, body: bytes) -> str:
    """The difference of an answer that holds more than the challenge."""
    before, _, after = body.partition(challenge)
    quote = before.strip()
    found = (
        (
            (before, after) == (BOM, b""),
            "with a byte order mark before the challenge; send UTF-8 without BOM",
        ),
        (
            not before and after in LINE_BREAKS,
            "with a line break after the challenge",
        ),
        (not _stripped(before + after), "with white space around the challenge"),
        (
            quote in QUOTES and after.strip() == quote,
            "with the challenge in quotes, as JSON is written; send it as plain text",
        ),
        (
            _looks_like_html(body),
            "with the challenge inside HTML; send it as plain text",
        ),
        (
            quote.startswith((b"{", b"[")),
            "with the challenge inside JSON; send it as plain text",
        ),
        (
            before.endswith(b"hub.challenge="),
            "with the query of the request; send the value of hub.challenge alone",
        ),
    )
    return next((words for is_so, words in found if is_so), "with more than the challenge")


def _stripped(body: bytes) -> bytes:
    return body.strip(BOM + b" \t\r\n")


def _looks_like_html(body: bytes) -> bool:
    return _stripped(body).startswith(b"<")
