"""Sizes as people say them."""

import pytest

from websub.sizes import say


@pytest.mark.parametrize(
    ("size", "said"),
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
def test_sizes_are_said_with_two_digits_or_more(size, said):
    assert say(size) == said
