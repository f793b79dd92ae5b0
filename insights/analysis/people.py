"""The technicians, services and areas that a text names, by the one matcher of names."""

from collections.abc import Mapping, Sequence
from typing import Any

from reviews.mentions import AreaEntry, Roster, ServiceEntry, TechnicianEntry


def roster_of(taxonomy: Mapping[str, Any], roster: Sequence[Mapping[str, Any]]) -> Roster:
    """The border's dictionaries as entries of `reviews.mentions`."""
    return Roster(
        technicians=[
            TechnicianEntry(entry["id"], entry["name"], tuple(entry.get("aliases") or ()))
            for entry in roster
        ],
        services=[
            ServiceEntry(entry["id"], entry["label"], tuple(entry.get("terms") or ()))
            for entry in taxonomy.get("services") or ()
        ],
        areas=[
            AreaEntry(entry["id"], entry["label"], tuple(entry.get("terms") or ()))
            for entry in taxonomy.get("areas") or ()
        ],
    )
