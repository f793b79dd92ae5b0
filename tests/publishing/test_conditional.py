"""Which coding is sent, and when the client already has it: by RFC 9110, whatever is asked."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from publishing.conditional import (
    CODINGS,
    choose_coding,
    is_not_modified,
)

NOON = 784_111_777  # Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.


@pytest.mark.parametrize(
    ("accept_encoding", "coding"),
    [
        (None, "identity"),
        ("", "identity"),
        ("gzip", "gzip"),
        ("GZip", "gzip"),
        ("x-gzip", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("zstd, gzip", "zstd"),
        ("br;q=0.5, gzip;q=0.8", "gzip"),
        ("br ; q=0.5 , gzip ; Q=0.50", "br"),
        ("gzip;q=0.001", "gzip"),
        ("gzip;q=0", "identity"),
        ("gzip;q=0.000, br", "br"),
        ("*", "br"),
        ("*;q=0", "identity"),
        ("br;q=0, *", "zstd"),
        ("gzip;q=0.5, identity", "identity"),
        ("gzip, identity", "gzip"),
        ("gzip;q=0.5, identity;q=0.5", "gzip"),
        ("identity;q=0", "identity"),
        ("identity;q=0, gzip;q=0.1", "gzip"),
        ("*;q=0, gzip", "gzip"),
        ("deflate", "identity"),
        ("deflate, identity;q=0", "identity"),
        ("gzip;q=2", "identity"),
        ("gzip;q=0.1234", "identity"),
        ("gzip;q=x, br", "br"),
        ("gzip br", "identity"),
        (",, ,gzip,", "gzip"),
        (";q=1, gzip\x00", "identity"),
    ],
)
def test_the_best_liked_coding_is_sent(accept_encoding, coding):
    assert choose_coding(accept_encoding) == coding


_quality = st.sampled_from(["", ";q=0", ";q=0.0", ";q=0.3", ";q=0.7", ";q=1", "; q=1.000"])
_codings = st.lists(
    st.tuples(st.sampled_from([*CODINGS, "identity", "*", "deflate"]), _quality),
    unique_by=lambda pair: pair[0],
    max_size=6,
)


@given(_codings)
def test_a_refused_coding_is_never_sent(accept_encoding):
    chosen = choose_coding(",".join(name + quality for name, quality in accept_encoding))

    weights = {name: float(quality.partition("=")[2] or 1) for name, quality in accept_encoding}
    if chosen != "identity":
        assert weights.get(chosen, weights.get("*", 0)) > 0
    else:
        at_least = weights.get("identity", weights.get("*", 0))
        for coding in CODINGS:
            weight = weights.get(coding, weights.get("*", 0))
            assert weight == 0 or weight < at_least


@given(st.text(max_size=60))
@example("gzip;" * 1000)
@example("," * 10_000)
def test_any_text_is_decided_without_an_error(text):
    assert choose_coding(text) in {*CODINGS, "identity"}
    assert is_not_modified(text, None, '"a"', NOON) in {True, False}
    assert is_not_modified(None, text, '"a"', NOON) in {True, False}


@pytest.mark.parametrize(
    ("if_none_match", "matches"),
    [
        ('"a"', True),
        ('W/"a"', True),
        ('"b", "a"', True),
        ('"b",W/"a"', True),
        ('  "a"\t,', True),
        (',, "a"', True),
        ("*", True),
        (" * ", True),
        ('"b"', False),
        ('"A"', False),
        ('w/"a"', False),
        ("a", False),
        ("", False),
        ('"a', False),
        ('"a" "b"', False),
        ('"a", *', True),
        ('"a", b', True),
        ("b, *", False),
        ('""', False),
        ('"a-gzip"', False),
    ],
)
def test_tags_are_compared_weakly_and_rubbish_matches_nothing(if_none_match, matches):
    assert is_not_modified(if_none_match, None, '"a"', NOON) is matches


@pytest.mark.parametrize(
    ("text", "not_modified"),
    [
        ("Sun, 06 Nov 1994 08:49:36 GMT", False),
        ("Sun, 06 Nov 1994 08:49:37 GMT", True),
        ("Sun, 06 Nov 1994 08:49:38 GMT", True),
        # The two obsolete formats (RFC 9110 5.6.7).
        ("Sunday, 06-Nov-94 08:49:37 GMT", True),
        ("Sun Nov  6 08:49:37 1994", True),
        # Rubbish is ignored.
        ("Sun, 06 Nov 2044 08:49:37 UTC", False),
        ("Sun, 31 Feb 2044 08:49:37 GMT", False),
        ("Sun, 06 Nov 2044 24:00:00 GMT", False),
        ("2044-11-06T08:49:37Z", False),
        ("2784111777", False),
        ("", False),
    ],
)
def test_a_date_at_or_after_the_last_change_is_fresh(text, not_modified):
    assert is_not_modified(None, text, '"a"', NOON) is not_modified


def test_a_tag_beats_a_date():
    later = "Sun, 06 Nov 2044 08:49:37 GMT"

    assert is_not_modified('"b"', later, '"a"', NOON) is False
    assert is_not_modified("rubbish", later, '"a"', NOON) is False
    assert is_not_modified('"a"', "Sun, 06 Nov 1904 08:49:37 GMT", '"a"', NOON) is True
