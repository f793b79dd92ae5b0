"""Spans of time as people say them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websub.durations import format_duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0 ms"),
        (0.25, "250 ms"),
        (0.999, "999 ms"),
        (1, "1.0 s"),
        (1.26, "1.3 s"),
        (75, "75 s"),
        (119.9, "119 s"),
        (300, "5 min"),
        (7200, "2 h"),
        (7859, "2 h 10 min"),
        (2 * 86_400, "2 d"),
        (863_999, "9 d 23 h"),
    ],
)
def test_a_span_is_said_in_two_units_at_most(seconds, words):
    assert format_duration(seconds) == words


@given(st.floats(min_value=0, max_value=1e12))
def test_every_span_can_be_said(seconds):
    assert 1 <= len(format_duration(seconds).split()) // 2 <= 2
