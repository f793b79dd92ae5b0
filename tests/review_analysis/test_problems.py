"""Problems of this business."""

import pytest

from review_analysis import analyse
from review_analysis.taxonomies import builtin


def problems(vertical, text, rating=None):
    found = analyse(text, rating, builtin(vertical), [])["entities"]
    return {entity["id"] for entity in found if entity["type"] == "problem"}


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("home_services", "He was not a pushy sales person."),
        ("home_services", "Marcus was never a pushy or high-pressure salesman, just honest."),
        ("home_services", "No hidden fees, surprise charges or upselling."),
        ("home_services", "Not once did they overcharge us."),
        ("home_services", "They didn't rush, overcharge or leave a mess."),
        ("home_services", "At no point did I feel he was rude or condescending."),
        ("home_services", "I never had to deal with a no show or a rude tech."),
        ("home_services", "Nobody tried to upsell us on anything."),
        ("home_services", "They explained everything instead of giving us a sales pitch."),
        ("generic", "By no means were they rude."),
        ("generic", "At no time did we feel unsafe or threatened."),
        ("restaurant", "Not a single rude word from anyone."),
    ],
)
def test_denied_problem_is_ignored(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text", "expected"),
    [
        ("home_services", "They did not show up.", {"no-show"}),
        ("home_services", "Other firms came at once. These did not show up.", {"no-show"}),
        ("home_services", "The technician was pushy and rude.", {"upselling", "rude-behavior"}),
        ("home_services", "They never called back.", {"unanswered-calls"}),
        ("home_services", "The price was not low and they overcharged us.", {"overcharge"}),
        ("home_services", "He scratched the floor and left a mess.", {"damage", "mess-left"}),
        ("home_services", "They never cleaned up the mess they left behind.", {"mess-left"}),
        ("clinic", "I waited an hour and the receptionist was rude.", {"long-wait", "rude-staff"}),
        ("law_firm", "My attorney missed the deadline.", {"missed-deadline"}),
        ("generic", "I was charged twice.", {"billing-error"}),
        ("generic", "Not only late, they were rude.", {"rude-staff"}),
        ("restaurant", "I don't know why, but the waiter was rude.", {"rude-staff"}),
        ("restaurant", "The food was not worth it. The waitress was rude.", {"rude-staff"}),
    ],
)
def test_problem_of_business_counts(vertical, text, expected):
    assert expected <= problems(vertical, text)


@pytest.mark.parametrize(
    ("vertical", "text", "concept"),
    [
        ("law_firm", "We sat there for over two hours before anybody came.", "wait"),
        ("auto_repair", "I left four voicemails and nobody has called me back.", "unreachable"),
        ("fitness", "They quoted $40 and the invoice said $95.", "price"),
        ("hotel", "I was sick the whole night after the buffet.", "illness"),
        ("retail", "They sent me around from person to person.", "passed"),
    ],
)
def test_complaints_have_a_concept_in_every_trade(vertical, text, concept):
    complaints = analyse(text, 1, builtin(vertical), [])["complaints"]
    assert concept in {complaint["concept"] for complaint in complaints}


def test_unnamed_action_in_unhappy_review_is_a_complaint():
    text = "They closed the doors in front of us."
    assert analyse(text, 1, builtin("retail"), [])["complaints"] == [
        {"start": 0, "end": len(text), "concept": None}
    ]
    assert analyse("They greeted us at the door.", 5, builtin("retail"), [])["complaints"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Cheers, we won't be returning their calls.",
        "Prices were fine but it was not worth the hassle.",
        "I will never return to this location.",
        "It cost me 40 minutes and I asked to cancel my order.",
        "I promised never to come back here.",
    ],
)
def test_action_of_customer_is_no_named_complaint(text):
    complaints = analyse(text, 2, builtin("generic"), [])["complaints"]
    assert {complaint["concept"] for complaint in complaints} <= {None}


@pytest.mark.parametrize(
    ("vertical", "text", "concept"),
    [
        ("restaurant", "The food and the drinks are madly expensive.", "price"),
        ("clinic", "We had to wait until half past six.", "wait"),
        ("restaurant", "The restrooms were revolting.", "unsafe"),
    ],
)
def test_blamed_aspect_with_single_failure_is_its_complaint(vertical, text, concept):
    complaints = analyse(text, 2, builtin(vertical), [])["complaints"]
    assert [complaint["concept"] for complaint in complaints] == [concept]


@pytest.mark.parametrize(
    ("vertical", "expected"), [("restaurant", {"food-poisoning"}), ("clinic", set())]
)
def test_illness_is_a_problem_unless_customers_come_ill(vertical, expected):
    assert problems(vertical, "I got sick and was sick the whole night.") == expected
