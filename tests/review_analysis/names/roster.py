"""A roster, and its entries that a text names."""

import datetime as dt

from review_analysis.name_matching import AreaEntry, PersonEntry, Roster, ServiceEntry

DAY = dt.date(2026, 3, 14)
ROSTER = Roster(
    people=[
        PersonEntry("mark-dunn", "Mark Dunn", ("Marky", "the dunn guy")),
        PersonEntry("jose-pena", "José Peña"),
        PersonEntry("maria-lopez", "Maria Lopez", ("Lola",)),
        PersonEntry("maria-chen", "Maria Chen"),
        PersonEntry("jean-luc", "Jean-Luc O'Brien"),
        PersonEntry("zhang-wei", "张伟"),
        PersonEntry(
            "tess", "Tess Quill", active_from=dt.date(2025, 1, 1), active_to=dt.date(2025, 12, 31)
        ),
    ],
    services=[
        ServiceEntry("drain-cleaning", "Drain cleaning", ("drain*", "clogged sink")),
        ServiceEntry("heat-pump", "Heat pump installation", ("heat pump", "A/C")),
        ServiceEntry("tune-up", "Furnace tune-up", ("furnace", "pump switch")),
    ],
    areas=[
        AreaEntry("alder-bay", "Alder Bay", ("the bay", "AB")),
        AreaEntry("east-alder-bay", "East Alder Bay"),
    ],
)


def named(text, roster=ROSTER, date=DAY):
    """The slugs in their order, with the part of the text that names each."""
    return [(found.slug, text[found.start : found.end]) for found in roster.find(text, date=date)]
