"""Mentions of technicians, services and areas."""

import datetime as dt

import pytest

from review_analysis.name_matching import AreaEntry, Found, PersonEntry, Roster, ServiceEntry
from tests.review_analysis.names.roster import DAY, ROSTER, named


# Names that are also words, so that the rules of context apply.
@pytest.mark.parametrize(
    ("name", "text", "spelling"),
    [
        ("Michael Tate", "Mike was great", "Mike"),
        ("Guy Marsh", "Guy at the front desk was rude", None),
        ("Guy Marsh", "Guy was kind", "Guy"),
        ("Carol Marsh", "Bob was kind. Carol too.", "Carol"),
        ("Carol Marsh", "Carol singers came by", None),
        ("Gene Marsh", "Gene tests took a week", None),
        ("Troy Marsh", "We came down from Troy", None),
        ("Troy Marsh", "Troy came down to us", "Troy"),
        ("Mercedes Marsh", "They know my Mercedes", None),
        ("Mercedes Marsh", "Mercedes does my nails", "Mercedes"),
        ("Charity Marsh", "Charity events for the shelter", None),
        ("Mike Tate", "Michael was great", "Michael"),
        ("Elizabeth Shaw", "thanks to Liz", "Liz"),
        ("Michael Tate", "Mike Johnson was great", None),
        ("Frank Moss", "Franklin was great", None),
        ("Kathy Marsh", "Katherine was great", "Katherine"),
        ("Debbie Marsh", "Deb was great", "Deb"),
        ("Rob Marsh", "Bob was great", None),
        ("Mike Tate", "Micheal was great", "Micheal"),
        ("Jack Ames", "John was great", None),
        ("Nick Ames", "Dominic was great", None),
        ("Zoë Blake", "Zoe was great", "Zoe"),
        ("Dr. April Bell, DDS", "Dr. Bell was great", "Bell"),
        ("Dr. April Bell, DDS", "DOCTOR BELL WAS GREAT", "BELL"),
        ("Dr. April Bell, DDS", "April Bell was great", "April Bell"),
        ("Dr. April Bell, DDS", "April was great", "April"),
        ("Dr. April Bell, DDS", "Dr. Smith and the bell, Bell", None),
        ("Dr. April Bell", "Dr. Bell Carter was great", None),
        ("Dr. April Bell", "My neighbor Dr. Bell was there", None),
        ("Dr. April Bell", "dr. bell was kind", "bell"),
        ("Dr. April Bell", "they rang the bell", None),
        ("Dr. Bell", "Dr Bell was great", "Dr Bell"),
        ("Dr. Bell", "Bell was great", None),
        ("Chef Marco", "Marco was great", "Marco"),
        ("Dr. Anthony", "Anthony was great", "Anthony"),
        ("Mark Jr.", "Mark was great", "Mark"),
        ("Doctor", "our Doctor was great", "Doctor"),
        ("Ana de la Cruz", "Ms. de la Cruz was great", "de la Cruz"),
        ("Mark Dunn Jr.", "Mark Dunn was great", "Mark Dunn"),
        ("Mark Tran", "Mark T. was great", "Mark T."),
        ("mark reyes", "we mark it; Mark was great", "Mark"),
        ("shane o'neil", "Shane O'Neil was great", "Shane O'Neil"),
        ("Shane O'Neil", "Shane Oneil was great", "Shane"),
        ("Shane O'Neil", "We asked for Mr. O'Neil", "O'Neil"),
        ("Shane O'Neil", "We asked for Shane O'Shea", None),
        ("Shane O'Neil", "Mr. ONeil was great", "ONeil"),
        ("Shane O'Neil", "Mr. O Neil was great", "O Neil"),
        ("Ray van der Berg", "Dr. Vanderberg was great", "Vanderberg"),
        ("Ray van der Berg", "Dr. Berg was great", "Berg"),
        ("Ana de la Cruz", "Ana Delacruz was great", "Ana"),
        ("Mary Ann Pruett", "Maryann was great", "Maryann"),
        ("Mary Ann Pruett", "Mary Anne was great", "Mary Anne"),
        ("Mary Jo Pruett", "Mary Anne was great", None),
        ("Jo-Anne Reid", "Jo Ann was great", "Jo Ann"),
        ("D'Angelo Watts", "Dangelo was great", "Dangelo"),
        ("DJ", "D.J. was great", "D.J."),
        ("Ms. Frankie", "Frankie was great", "Frankie"),
        ("Dr. Patel", "Doc Patel was great", "Patel"),
        ("Dr. Patel", "Drs. Oh and Patel were great", "Patel"),
        ("Dr. Patel", "Dr. Oh and Patel Dental were great", None),
        ("Ms. Lee", "Mr. Lee was great", None),
        ("Mr. Lee", "Mrs. Lee was great", None),
        ("Judge Lee", "Judge Lee was great", "Judge Lee"),
        ("Sue Lee", "Judge Lee was great", None),
        ("Don Webb", "Don't. Don\u2019t. DON'T. Don t.", None),
    ],
)
def test_people_are_found_by_short_forms_plain_spellings_and_titles(name, text, spelling):
    roster = Roster([PersonEntry("one", name)])

    assert named(text, roster) == ([("one", spelling)] if spelling else [])


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("Mike was great", ["dunn"]),
        ("Michael was great", ["tate"]),
        ("Rob was great", []),
        ("Ana was great", []),
        ("Ana C. was great, Ana R too", ["castellano", "reyes"]),
        ("Ana A. was great; to Ana, a gem; Ana a gem", ["abbott"]),
        ("Ms. Castellano was great", ["castellano"]),
        ("Mr. Lang was great", []),
    ],
)
def test_ambiguous_short_form_is_ignored(text, slugs):
    roster = Roster(
        [
            PersonEntry("tate", "Michael Tate"),
            PersonEntry("dunn", "Mike Dunn"),
            PersonEntry("castellano", "Ana Castellano"),
            PersonEntry("reyes", "Ana Reyes"),
            PersonEntry("abbott", "Ana Abbott"),
            PersonEntry("robert", "Robert Lang"),
            PersonEntry("roberto", "Roberto Lang"),
        ]
    )

    assert [found.slug for found in roster.find(text)] == slugs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mark's van", [("mark-dunn", "Mark")]),
        ("Mark\u2019s van, Marks\u2019 van", [("mark-dunn", "Mark"), ("mark-dunn", "Mark")]),
        ("Marks van", []),
        ("we mark it, says dunn", []),
        ("thanks marky", []),
        ("thanks Marky", [("mark-dunn", "Marky")]),
        (
            "The Dunn Guy and the dunn guy",
            [("mark-dunn", "The Dunn Guy"), ("mark-dunn", "the dunn guy")],
        ),
        ("Mark\n  Dunn, Mark-Dunn", [("mark-dunn", "Mark\n  Dunn"), ("mark-dunn", "Mark-Dunn")]),
        ("MARK DUNN", [("mark-dunn", "MARK DUNN")]),
        ("Jose came, then Jose Pena", [("jose-pena", "Jose"), ("jose-pena", "Jose Pena")]),
        ("José Pena, jose pena", [("jose-pena", "José"), ("jose-pena", "jose pena")]),
        ("Jean-Luc Obrien, Mr. O'Brien", [("jean-luc", "Jean-Luc"), ("jean-luc", "O'Brien")]),
        ("JOSÉ", [("jose-pena", "JOSÉ")]),
        ("Jose\u0301!", [("jose-pena", "Jose\u0301")]),
        ("José\u0302", []),
        (
            "Maria came; Maria Chen and Lola too",
            [("maria-chen", "Maria Chen"), ("maria-lopez", "Lola")],
        ),
        ("Jean Luc O\u2019Brien", [("jean-luc", "Jean Luc O\u2019Brien")]),
        ("Jean-Luc, not Jean", [("jean-luc", "Jean-Luc")]),
        ("是张伟修的", [("zhang-wei", "张伟")]),
        (
            "DRAINAGE drains undrained",
            [("drain-cleaning", "DRAINAGE"), ("drain-cleaning", "drains")],
        ),
        ("Heat-pump installations", [("heat-pump", "Heat-pump installations")]),
        ("heat pump switches", [("heat-pump", "heat pump")]),
        ("a/c, tuneup, furnace tuneups", [("heat-pump", "a/c"), ("tune-up", "furnace tuneups")]),
        (
            "alder bay, Alder Bay, ALDER BAY",
            [("alder-bay", "Alder Bay"), ("alder-bay", "ALDER BAY")],
        ),
        ("east of the Bay, ab, AB", [("alder-bay", "the Bay"), ("alder-bay", "AB")]),
        ("East Alder Bay", [("east-alder-bay", "East Alder Bay")]),
        ("Große straße, Mark, ẞ", [("mark-dunn", "Mark")]),
        ("", []),
    ],
)
def test_term_is_found_at_its_place(text, expected):
    assert named(text) == expected


@pytest.mark.parametrize(
    ("day", "slugs"),
    [
        (dt.date(2024, 12, 31), []),
        (dt.date(2025, 1, 1), ["tess"]),
        (dt.date(2025, 12, 31), ["tess"]),
        (dt.date(2026, 1, 1), []),
        (None, ["tess"]),
    ],
)
def test_only_active_technicians_are_named(day, slugs):
    assert [found.slug for found in ROSTER.find("Tess was lovely.", date=day)] == slugs


def test_services_sharing_a_keyword_share_its_places():
    roster = Roster(services=[ServiceEntry("b", "B", ("leak",)), ServiceEntry("a", "A", ("leak",))])

    assert roster.find("A leak") == [
        Found("service", "a", 0, 1),
        Found("service", "a", 2, 6),
        Found("service", "b", 2, 6),
    ]


def test_distinct_mentions_are_ordered_by_kind_and_slug():
    mentions = ROSTER.match(
        "Furnace works again in Alder Bay, furnace and all. Thanks Mark!",
        date=DAY,
        people=["  maria  CHEN ", "Mark D.", "Tess", "nobody"],
        services=["drain-cleaning", "Furnace tune-up (yearly)"],
    )

    assert mentions == [
        ("person", "maria-chen"),
        ("person", "mark-dunn"),
        ("person", "tess"),
        ("service", "drain-cleaning"),
        ("service", "tune-up"),
        ("area", "alder-bay"),
    ]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("mark-dunn", "mark-dunn"),
        (" MARK  DUNN ", "mark-dunn"),
        ("mark", "mark-dunn"),
        ("marky", "mark-dunn"),
        ("lola", "maria-lopez"),
        ("maria", None),
        ("maria-lopez", "maria-lopez"),
        ("Jose\u0301 Pen\u0303a", "jose-pena"),
        ("jose", None),
        ("dunn", None),
        ("Tess", "tess"),
        ("", None),
    ],
)
def test_technician_is_resolved_by_id_full_name_alias_or_unique_first_name(name, slug):
    assert ROSTER.resolve_person(name) == slug


def test_id_precedes_first_name_in_filters_and_is_no_name_in_texts():
    roster = Roster([PersonEntry("kim", "Kim Sol"), PersonEntry("kim-2", "Kim Ash")])

    assert roster.resolve_person("Kim") == "kim"
    assert roster.find("Kim was here") == []


@pytest.mark.parametrize("term", ["", "*", "   ", "''", "-", "...", "\u0301"])
def test_term_without_letters_or_digits_is_ignored(term):
    roster = Roster(
        [PersonEntry("t", term, (term,))],
        [ServiceEntry("s", term, (term,))],
        [AreaEntry("a", term, (term,))],
    )

    assert roster.find(f"Some {term} text * - ... '' with everything") == []
