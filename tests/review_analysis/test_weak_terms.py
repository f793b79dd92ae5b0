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


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("home_services", "We had the unit replaced on Monday."),
        ("home_services", "We pay the driver when he is here."),
        ("auto_repair", "My car had an appointment on Tuesday."),
        ("auto_repair", "They wanted the owner's manual."),
        ("hair_beauty", "It was time for the massage."),
        ("retail", "They sold us a nice tank."),
        ("attraction", "They gave us tickets to come back."),
        ("education", "We got exposure to the cost function."),
        ("generic", "The drive is worth every minute in the car."),
        ("generic", "It is not worth the hassle."),
        ("generic", "It would be nice to see them again."),
        ("home_services", "This firm is $%^&!"),
    ],
)
def test_noun_or_verb_that_nobody_judges_is_no_aspect(vertical, text):
    assert aspects(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text", "aspect"),
    [
        ("home_services", "They installed it beautifully.", "workmanship"),
        ("home_services", "We are happy with the installation.", "workmanship"),
        ("home_services", "They never fixed the door.", "workmanship"),
        ("home_services", "The repair was awful.", "workmanship"),
        ("home_services", "They charged me $400.", "price"),
        ("hair_beauty", "The massage was fabulous.", "care"),
        ("law_firm", "The receptionist hung up on me.", "staff"),
        ("generic", "When I called, the manager told me to go away.", "staff"),
        ("generic", "We met a manager who listened.", "staff"),
        ("auto_repair", "The rude cashier threw the keys at me.", "staff"),
        ("clinic", "There were no appointments for a month.", "scheduling"),
    ],
)
def test_noun_or_verb_that_somebody_judges_counts(vertical, text, aspect):
    assert aspect in aspects(vertical, text)
