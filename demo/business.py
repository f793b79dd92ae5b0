"""The invented business of the demo: technicians, services and areas."""

import datetime as dt
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from review_analysis.name_matching import AreaEntry, PersonEntry, Roster, ServiceEntry

DATA: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)

BUSINESS: Mapping[str, Any] = DATA["business"]
SERVICES = tuple(
    ServiceEntry(slug, service["label"], tuple(service["keywords"]))
    for slug, service in DATA["services"].items()
)
AREAS = tuple(
    AreaEntry(slug, area["name"], tuple(area["aliases"])) for slug, area in DATA["areas"].items()
)

VERIFYING_SOURCES = frozenset({"trustpilot", "own-survey"})  # Their authors were customers.
SOURCES_WITHOUT_PAGES = frozenset({"own-survey", "nextdoor"})


def technicians(start: dt.date, end: dt.date) -> tuple[PersonEntry, ...]:
    """Technicians of a demo from `start` to `end`; one joins later, and one leaves."""
    return (
        PersonEntry("ana-castellano", "Ana Castellano", ("Ana C.",)),
        PersonEntry("ana-reyes", "Ana Reyes", ("Ana R.",)),
        PersonEntry("maren-holt", "Maren Holt", active_to=start + (end - start) * 4 // 5),
        PersonEntry("mark-dunn", "Mark Dunn"),
        PersonEntry(
            "theo-brandt", "Theo Brandt", ("Teddy",), active_from=start + (end - start) // 2
        ),
        PersonEntry("will-okafor", "Will Okafor"),
    )


def roster(start: dt.date, end: dt.date) -> Roster:
    return Roster(technicians(start, end), SERVICES, AREAS)
