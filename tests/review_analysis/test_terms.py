"""Terms of aspects in texts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_analysis.segments import Source
from review_analysis.terms import Entry, Matcher


def found(text, *entries):
    source = Source(text)
    matcher = Matcher([Entry.of({"id": str(n), **entry}) for n, entry in enumerate(entries)])
    return [
        (place.entry, text[slice(*source.span(place.start, place.end))])
        for place in matcher.find(source)
    ]


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("food", "The FOOD, the food's smell, foodie", ["FOOD", "food"]),
        ("battery life", "Battery-life and battery  life", ["Battery-life", "battery  life"]),
        ("fish & chips", "Best Fish & Chips", ["Fish & Chips"]),
        ("wi-fi", "Free Wi-Fi and wi fi, no wifi", ["Wi-Fi", "wi fi"]),
        ('24" screen', "A 24\u201d screen", ["24\u201d screen"]),
        ("clean*", "clean, cleaning, unclean", ["clean", "cleaning"]),
        ("drain clean*", "Drain-cleaning, drain, cleaning", ["Drain-cleaning"]),
        ("on time", "not on time, on timetable", ["on time"]),
        (".net", "the .NET team", [".NET"]),
        ("don't", "They don\u2019t care", ["don\u2019t"]),
        ("c++", "Their C++ course", ["C++"]),
        ("café", "a cafe\u0301 nearby", ["cafe\u0301"]),
        (
            "never * back",
            "Never got back, never called us back",
            ["Never got back", "never called us back"],
        ),
        (
            "never * back",
            "never, ever back; never a word of it all back; never back",
            ["never back"],
        ),
        ("call* * back", "calling me back, recall him back", ["calling me back"]),
        (
            "wait* # hours",
            "waited 3 hours, waiting two hours, wait for hours",
            ["waited 3 hours", "waiting two hours"],
        ),
        ("took # * to", "Took about 2 weeks to; took 2 full weeks to", ["took 2 full weeks to"]),
        (
            "(no|zero) follow-up",
            "no follow up, zero follow-up, a follow up",
            ["no follow up", "zero follow-up"],
        ),
        (
            "late (the|all of the|) time",
            "late the time, late all of the time, late time, late my time",
            ["late the time", "late all of the time", "late time"],
        ),
        (
            "(call*|send * text) back",
            "calling back, send me a text back, recall back",
            ["calling back", "send me a text back"],
        ),
        (
            "left (it|the house) clean*",
            "left it cleaner, left the house clean",
            ["left it cleaner", "left the house clean"],
        ),
        ("($*|price)", "it cost $40, a price, prices", ["$40", "price"]),
        ("(oh) dear (me", "(oh) dear (me", ["(oh) dear (me"]),
        ("(|)", "a | b", []),
        ("* called", "nobody called", ["called"]),
        ("*", "anything *", []),
        ("", "anything", []),
    ],
)
def test_term_matches_as_literal_words(term, text, expected):
    assert [spelling for _, spelling in found(text, {"terms": [term]})] == expected


def test_longest_of_overlapping_terms_wins():
    places = found(
        "table service and service", {"terms": ["service"]}, {"terms": ["table service"]}
    )

    assert places == [(1, "table service"), (0, "service")]


def test_terms_and_exclusions_affect_their_kind_only():
    source = Source("A long wait in a cold room.")
    entries = [
        Entry.of({"id": "speed", "terms": ["wait"]}),
        Entry.of({"id": "comfort", "terms": ["room"], "exclude": ["long wait"]}, "aspect"),
        Entry.of({"id": "queue", "terms": ["long wait in*"], "exclude": ["cold room"]}, "problem"),
        Entry.of({"id": "rooms", "terms": ["room", "wait"]}, "topic"),
    ]

    places = Matcher(entries).find(source)

    assert [(entries[p.entry].id, source.normalised[p.start : p.end]) for p in places] == [
        ("speed", "wait"),
        ("comfort", "room"),
        ("queue", "long wait in"),
        ("rooms", "wait"),
        ("rooms", "room"),
    ]


def test_entries_with_a_common_term_share_places():
    assert found("late", {"terms": ["late"]}, {"terms": ["late"]}) == [(0, "late"), (1, "late")]


def test_exclusion_hides_a_term_of_the_same_words():
    entry = {"terms": ["billing person"], "exclude": ["billing (lady|person)"]}

    assert found("The billing person called.", entry) == []


def test_excluded_phrase_does_not_mention_entry():
    places = found(
        "late fee, late",
        {"terms": ["late"], "exclude": ["late fee"]},
        {"terms": ["fee"]},
    )

    assert places == [(1, "fee"), (0, "late")]


@given(
    st.lists(st.text(st.sampled_from("ab &*-'é "), max_size=6), max_size=4),
    st.text(st.sampled_from("ab &*-'é \n"), max_size=40),
)
def test_places_never_overlap_and_lie_in_the_text(terms, text):
    source = Source(text)
    places = Matcher([Entry.of({"id": "x", "terms": terms})]).find(source)

    assert all(0 <= p.start < p.end <= len(source.normalised) for p in places)
    assert all(a.end <= b.start for a, b in pairwise(places))
