"""Sizes and durations in words."""

import pytest

from websub.formatting import format_duration, format_size


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
def test_duration_has_two_units_at_most(seconds, words):
    assert format_duration(seconds) == words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (34_600, "35 kB"),
        (999_499, "999 kB"),
        (1_250_000, "1.2 MB"),
        (12_000_000, "12 MB"),
        (3_000_000_000, "3.0 GB"),
        (2_500_000_000_000, "2,500 GB"),
    ],
)
def test_size_has_two_digits_or_more(size, words):
    assert format_size(size) == words
