"""Rosters from incomplete dictionaries."""

import pytest

from review_analysis import Analyser, analyse
from review_analysis.rosters import roster_of
from review_analysis.taxonomies import builtin

TEXT = "Mark fixed our water heater in Alder Bay. Thanks Marky!"


def named(roster, taxonomy=None, text=TEXT):
    return [
        (found.kind, found.slug, text[found.start : found.end])
        for found in roster_of(taxonomy or {}, roster).find(text)
    ]


@pytest.mark.parametrize(
    ("roster", "expected"),
    [
        ([{"id": "t1", "name": "Mark Reyes", "aliases": ["Marky"]}], ["Mark", "Marky"]),
        ([{"id": "t1", "name": "Mark Reyes"}], ["Mark"]),
        ([{"id": "t1", "name": "Mark Reyes", "aliases": None}], ["Mark"]),
        ([{"id": "t1", "name": "Mark Reyes", "aliases": "Marky"}], ["Mark", "Marky"]),
        (
            [{"id": "t1", "name": "Mark Reyes", "aliases": [None, 7, " ", "Marky"]}],
            ["Mark", "Marky"],
        ),
        ([{"id": "t1", "name": "Mark Reyes"}] * 2, ["Mark"]),
        ([{"id": "t1", "name": "Mark"}, {"id": "t1", "aliases": ["Marky"]}], ["Mark", "Marky"]),
        ([{"id": "t1"}], []),
        ([{"id": "t1", "name": ""}], []),
        ([], []),
    ],
)
def test_technicians_are_named_by_name_and_alias(roster, expected):
    assert named(roster) == [("person", "t1", spelling) for spelling in expected]


def test_services_and_areas_come_from_the_taxonomy():
    taxonomy = {
        "services": [{"id": "heater", "label": "Water heaters", "terms": ["water heat*"]}],
        "areas": [{"id": "bay", "label": "Alder Bay"}],
    }

    assert named([], taxonomy) == [
        ("service", "heater", "water heater"),
        ("area", "bay", "Alder Bay"),
    ]


@pytest.mark.parametrize(
    ("vertical", "text", "services"),
    [
        ("law_firm", "They will call you back.", []),
        ("law_firm", "She wrote my will in a week.", ["estate-planning"]),
        ("restaurant", "A great place to go with children.", []),
        ("restaurant", "We got two burgers to go.", ["takeout"]),
    ],
)
def test_excluded_phrase_names_no_service_of_the_taxonomy(vertical, text, services):
    entities = analyse(text, 5, builtin(vertical), [])["entities"]

    assert [entity["id"] for entity in entities if entity["type"] == "service"] == services


def test_technician_in_review_has_place_and_polarity():
    roster = [{"id": "mark", "name": "Mark Reyes", "aliases": []}]

    result = analyse("Mark your calendars. Mark was wonderful.", 5, {"aspects": []}, roster)

    (entity,) = result["entities"]
    assert (entity["type"], entity["id"], entity["label"]) == ("technician", "mark", "positive")
    assert entity["mentions"] == [{"start": 21, "end": 25}]


@pytest.mark.parametrize("name", ["Grace Tan", "Rusty Stone", "Joy Best", "Sunny Park"])
@pytest.mark.parametrize(
    "text", ["{} overcharged us.", "{} was kind to my mother.", "Our server was {}."]
)
def test_name_is_neither_praise_nor_blame(name, text):
    def read(name):
        return analyse(text.format(name.split()[0]), None, {}, [{"id": "it", "name": name}])

    answer, other = read(name), read("Zelda Wu")

    assert len(answer["entities"]) == 1
    assert answer["sentiment"] == other["sentiment"]
    assert answer["entities"][0]["score"] == other["entities"][0]["score"]


def test_people_have_the_role_of_the_roster():
    roster = [{"id": "mark", "name": "Mark Reyes", "role": "stylist"}]
    analyser = Analyser(builtin("hair_beauty"), roster)

    (person,) = analyser.read("Mark was wonderful.", 5).people

    assert (person.id, person.role, person.label) == ("mark", "stylist", "positive")
