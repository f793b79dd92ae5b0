"""A weak term judges an aspect only beside a strong one, or where the aspect is spoken of."""

import pytest

from review_analysis import analyse
from review_analysis.taxonomies import builtin


def aspects(vertical, text):
    found = analyse(text, None, builtin(vertical), [])["aspects"]
    return {aspect["id"] for aspect in found}


@pytest.mark.parametrize(
    ("vertical", "text", "found"),
    [
        ("generic", "Nice rides and a nice park.", set()),  # Nothing about the staff.
        ("attraction", "Nice rides.", {"rides"}),
        ("generic", "The staff is nice.", {"staff"}),
        ("generic", "The road was closed.", set()),  # Nothing about booking.
        ("attraction", "Half the rides were closed.", {"rides"}),
        ("restaurant", "Honestly, the soup was cold.", {"food"}),  # Nothing about honesty.
        ("home_services", "Honestly, I would call them again.", set()),
        ("generic", "They are open on Sundays.", set()),
        ("home_services", "The county fair was fun.", set()),
        ("home_services", "The price was fair.", {"price"}),
        ("clinic", "An appointment was available the same day.", {"scheduling"}),
        ("retail", "I would return any day.", set()),  # Nothing about goods that go back.
        ("retail", "They never returned my call.", set()),
        ("retail", "I returned the lamp, which was broken.", {"returns"}),
        ("retail", "Returning was quick with the receipt.", {"returns"}),
    ],
)
def test_weak_term_is_about_the_aspect_that_its_clause_names(vertical, text, found):
    assert aspects(vertical, text) == found
