import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from publishing.conditional import CODINGS, choose_coding, is_not_modified

NOON = 784_111_777  # Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.


CHOSEN = {
    "identity": [
        *(None, "", "gzip;q=0", "*;q=0", "gzip;q=0.5, identity", "identity;q=0", "deflate"),
        *("deflate, identity;q=0", "gzip;q=2", "gzip;q=0.1234", "gzip br", ";q=1, gzip\x00"),
    ],
    "gzip": [
        *("gzip", "GZip", "x-gzip", "br;q=0.5, gzip;q=0.8", "gzip;q=0.001", "gzip, identity"),
        *("gzip;q=0.5, identity;q=0.5", "identity;q=0, gzip;q=0.1", "*;q=0, gzip", ",, ,gzip,"),
    ],
    "br": [
        *("gzip, deflate, br, zstd", "br ; q=0.5 , gzip ; Q=0.50", "gzip;q=0.000, br", "*"),
        "gzip;q=x, br",
    ],
    "zstd": ["zstd, gzip", "br;q=0, *"],
}


@pytest.mark.parametrize("coding", CHOSEN)
def test_preferred_coding_is_sent(coding):
    for accept_encoding in CHOSEN[coding]:
        assert choose_coding(accept_encoding) == coding, accept_encoding


_quality = st.sampled_from(["", ";q=0", ";q=0.0", ";q=0.3", ";q=0.7", ";q=1", "; q=1.000"])
_codings = st.lists(
    st.tuples(st.sampled_from([*CODINGS, "identity", "*", "deflate"]), _quality),
    unique_by=lambda pair: pair[0],
    max_size=6,
)


@given(_codings)
def test_refused_coding_is_never_sent(accept_encoding):
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
def test_any_header_is_handled(text):
    assert choose_coding(text) in {*CODINGS, "identity"}
    assert is_not_modified(text, None, '"a"', NOON) in {True, False}
    assert is_not_modified(None, text, '"a"', NOON) in {True, False}


MATCHING = ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '  "a"\t,', ',, "a"', "*", " * ", '"a", *']
OTHER = ['"b"', '"A"', 'w/"a"', "a", "", '"a', '"a" "b"', "b, *", '""', '"a-gzip"']


@pytest.mark.parametrize(("tags", "matches"), [(MATCHING, True), (OTHER, False)])
def test_etags_are_compared_weakly_and_malformed_ones_match_nothing(tags, matches):
    for if_none_match in tags:
        assert is_not_modified(if_none_match, None, '"a"', NOON) is matches, if_none_match


FRESH = [
    *("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT"),
    *("Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"),  # Obsolete (RFC 9110 5.6.7).
]
OLD_OR_RUBBISH = [
    *("Sun, 06 Nov 1994 08:49:36 GMT", "Sun, 06 Nov 2044 08:49:37 UTC", "2784111777", ""),
    *("Sun, 31 Feb 2044 08:49:37 GMT", "Sun, 06 Nov 2044 24:00:00 GMT", "2044-11-06T08:49:37Z"),
]


@pytest.mark.parametrize(("dates", "is_fresh"), [(FRESH, True), (OLD_OR_RUBBISH, False)])
def test_date_at_or_after_last_change_is_fresh(dates, is_fresh):
    for date in dates:
        assert is_not_modified(None, date, '"a"', NOON) is is_fresh, date


def test_etag_takes_precedence_over_date():
    later = "Sun, 06 Nov 2044 08:49:37 GMT"

    assert is_not_modified('"b"', later, '"a"', NOON) is False
    assert is_not_modified("rubbish", later, '"a"', NOON) is False
    assert is_not_modified('"a"', "Sun, 06 Nov 1904 08:49:37 GMT", '"a"', NOON) is True
