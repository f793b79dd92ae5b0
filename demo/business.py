"""The invented business of the demo: technicians, services and areas."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from review_analysis.name_matching import AreaEntry, Roster, ServiceEntry, TechnicianEntry

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")

BUSINESS: Mapping[str, Any] = {
    "slug": "tern-hollow",
    "name": "Tern Hollow Home Services",
    "legal_name": "Tern Hollow Home Services LLC",
    "description": (
        "Plumbing, heating, cooling and electrical work around Tern Hollow. This is demo data: the "
        "business, its people, its customers and their reviews are invented."
    ),
    "vertical": "home_services",
    "language": "en",
    "url": "https://ternhollow.example",
    "logo_url": "https://ternhollow.example/logo.svg",
    "same_as": [
        "https://maps.example/ternhollow",
        "https://social.example/ternhollow",
    ],
    "phone": "+1 555-0142",
    "email": "hello@ternhollow.example",
    "street": "48 Old Ferry Road",
    "city": "Tern Hollow",
    "region": "CA",
    "postal_code": "90000",
    "country": "US",
    "latitude": 34.0,
    "longitude": -119.0,
    "time_zone": "America/Los_Angeles",
    "hours": [
        *({"day": day, "opens": "07:30", "closes": "18:00"} for day in _WEEKDAYS),
        {"day": "saturday", "opens": "09:00", "closes": "14:00"},
    ],
    "license": "Demo licence 000-0142",
    "attribution": "Demo data, invented from beginning to end",
}

SERVICES = (
    ServiceEntry("ac-repair", "AC repair", ("air condition*", "AC unit", "A/C")),
    ServiceEntry("ceiling-fan-installation", "Ceiling fan installation", ("ceiling fan",)),
    ServiceEntry("drain-cleaning", "Drain cleaning", ("drain*", "clog*")),
    ServiceEntry("duct-cleaning", "Duct cleaning", ("duct*", "air vent")),
    ServiceEntry(
        "fixture-installation",
        "Fixture installation",
        ("faucet", "new toilet", "shower head", "garbage disposal"),
    ),
    ServiceEntry("furnace-tune-up", "Furnace tune-up", ("furnace", "heating system")),
    ServiceEntry("leak-detection", "Leak detection", ("leak*", "burst pipe")),
    ServiceEntry(
        "panel-upgrade", "Electrical panel upgrade", ("electrical panel", "breaker box", "fuse box")
    ),
    ServiceEntry("water-heater-repair", "Water heater repair", ("water heater", "tankless")),
)

# How customers speak of each job; every phrase names its own service and no other.
JOBS: Mapping[str, tuple[str, ...]] = {
    "ac-repair": (
        "{our|the|my} {old |}AC unit",
        "{our|the} air conditioning",
        "a {dead|noisy|rattling} air conditioner",
        "{our|the} A/C {upstairs|downstairs}",
        "an AC repair",
    ),
    "ceiling-fan-installation": (
        "{a|our} {new |}ceiling fan {in the bedroom|over the table|on the porch}",
        "{two|three} ceiling fans",
    ),
    "drain-cleaning": (
        "a {badly |completely |}clogged {sink|tub|shower}",
        "{our|the} {kitchen|bathroom|main} drain",
        "a drain cleaning",
        "the drains {in the basement|at my mother's house}",
    ),
    "duct-cleaning": (
        "a {full |}duct cleaning",
        "{our|the} {dusty |}air vents",
        "{our|the} ducts {before the baby came|after the remodel|}",
    ),
    "fixture-installation": (
        "{a|our} new {kitchen |bathroom |}faucet",
        "a new toilet {upstairs|in the hall bath|}",
        "a garbage disposal",
        "a {rain |new |}shower head",
    ),
    "furnace-tune-up": (
        "{our|the} {yearly |annual |}furnace tune-up",
        "{our|the|an old} furnace",
        "{our|the} heating system",
    ),
    "leak-detection": (
        "a {slow |hidden |nasty |}leak {under the sink|behind the wall|in the ceiling}",
        "a leaking {pipe|valve|hose}",
        "a burst pipe",
        "a leak detection",
    ),
    "panel-upgrade": (
        "{our|the|an old} {electrical panel|breaker box|fuse box}",
        "an electrical panel upgrade",
    ),
    "water-heater-repair": (
        "{our|the|a} {dead |}water heater",
        "a {new |}tankless {unit|system}",
        "a water heater repair",
    ),
}

AREAS = (
    AreaEntry("alder-bay", "Alder Bay", ("the Bay",)),
    AreaEntry("cedar-flats", "Cedar Flats", ("the Flats",)),
    AreaEntry("eastgate", "Eastgate"),
    AreaEntry("harbor-north", "Harbor North"),
    AreaEntry("mill-reach", "Mill Reach"),
    AreaEntry("quarry-point", "Quarry Point"),
    AreaEntry("saltmarsh", "Saltmarsh", ("Salt Marsh",)),
)


def technicians(start: dt.date, end: dt.date) -> tuple[TechnicianEntry, ...]:
    """The people of a demo that runs from `start` to `end`: one came later, one has left."""
    return (
        TechnicianEntry("ana-castellano", "Ana Castellano", ("Ana C.",)),
        TechnicianEntry("ana-reyes", "Ana Reyes", ("Ana R.",)),
        TechnicianEntry("maren-holt", "Maren Holt", active_to=start + (end - start) * 4 // 5),
        TechnicianEntry("mark-dunn", "Mark Dunn"),
        TechnicianEntry(
            "theo-brandt", "Theo Brandt", ("Teddy",), active_from=start + (end - start) // 2
        ),
        TechnicianEntry("will-okafor", "Will Okafor"),
    )


def roster(start: dt.date, end: dt.date) -> Roster:
    return Roster(technicians(start, end), SERVICES, AREAS)
