"""What a name in an argument means: an aspect, a technician or a service, or a helpful refusal.

`known` is what `contents.insights` tells, which the caller reads once for all of its answer.
"""

from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from operator import itemgetter
from typing import Any

from mcp_server.jsonrpc import quote_for_message
from mcp_server.registry import ToolError
from publishing import contents
from review_analysis.text import fold
from reviews.search.result_cache import current_roster

NAMED = 50  # So many valid names a refusal lists.
COMPARED_CHARACTERS = 60  # Comparing takes quadratic time.

# What an argument of this name is the name of.
TAKES: Mapping[str, str] = {
    "mentions_technician": "technician",
    "mentions_service": "service",
    "name": "technician",
    "service": "service",
    "aspect": "aspect",
}

Row = dict[str, Any]
Find = Callable[[Row, str], Row]


def aspect(known: Row, name: str) -> Row:
    """The aspect of this id or label. Raises `ToolError`."""
    wanted = _key(name)
    rows = known["aspects"]
    return _found("aspect", rows, name, lambda row: wanted in {_key(row["id"]), _key(row["label"])})


def technician(known: Row, name: str) -> Row:
    """The technician of this id, name, alias or unique first name. Raises `ToolError`."""
    slug = _technician_slug(name)
    rows = known["entities"]["technicians"]
    return _found("technician", rows, name, lambda row: row["id"] == slug)


def service(known: Row, name: str) -> Row:
    """The service of this id or label. Raises `ToolError`."""
    slug = _service_slug(name)
    rows = known["entities"]["services"]
    return _found("service", rows, name, lambda row: row["id"] == slug)


def refuse_unknown(filters: Mapping[str, Any]) -> None:
    """Refuse filters by names that are unknown or ambiguous. Raises `ToolError`."""
    if name := filters.get("mentions_technician"):
        _technician_slug(name)
    if name := filters.get("mentions_service"):
        _service_slug(name)


def _technician_slug(name: str) -> str:
    roster = current_roster()
    slug = roster.resolve_technician(name)
    if slug is not None:
        return slug
    people, wanted = roster.technicians, _key(name)
    alike = [each.name for each in people if wanted in map(_key, each.names)]
    if len(alike) > 1:
        raise ToolError(f"{quote_for_message(name)} is what several go by: {_listed(alike)}.")
    rows = [{"id": each.slug, "name": each.name} for each in people]
    raise _unknown("technician", rows, name)


def _service_slug(name: str) -> str:
    roster = current_roster()
    slug = roster.resolve_service(name)
    if slug is not None:
        return slug
    rows = [{"id": each.slug, "label": each.label} for each in roster.services]
    raise _unknown("service", rows, name)


def examples() -> dict[str, str]:
    """Names of this installation, by the arguments that take them.

    Each is the first by its id, of those with insights if there are any: so they change seldom,
    and clients may keep the list of tools.
    """
    try:
        known, roster = contents.insights(), current_roster()
    except contents.DocumentUnavailable:
        return {}
    names = {
        "technician": [
            *(row["name"] for row in _by_id(known["entities"]["technicians"])),
            *(entry.name for entry in roster.technicians),
        ],
        "service": [
            *(row["id"] for row in _by_id(known["entities"]["services"])),
            *(entry.slug for entry in roster.services),
        ],
        "aspect": [row["id"] for row in _by_id(known["aspects"])],
    }
    return {argument: names[kind][0] for argument, kind in TAKES.items() if names[kind]}


def _by_id(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=itemgetter("id"))


def aspect_names() -> list[str]:
    """Every id, then every label: an argument takes both."""
    rows = contents.insights()["aspects"]
    return [row["id"] for row in rows] + [row["label"] for row in rows]


def technician_names() -> list[str]:
    return [entry.name for entry in current_roster().technicians]


def service_names() -> list[str]:
    return [entry.slug for entry in current_roster().services]


def _found(kind: str, rows: Sequence[Row], name: str, is_meant: Callable[[Row], bool]) -> Row:
    for row in rows:
        if is_meant(row):
            return row
    # A single review may mention it all the same: that makes no aspect of the dataset.
    unknown = quote_for_message(name)
    raise ToolError(f"There are no insights about the {kind} {unknown}. {_valid(kind, rows, name)}")


def _unknown(kind: str, rows: Sequence[Row], name: str) -> ToolError:
    known = f"There are: {_closest(rows, name)}" if rows else "There are none"
    return ToolError(f"There is no {kind} {quote_for_message(name)}. {known}.")


def _valid(kind: str, rows: Sequence[Row], name: str) -> str:
    if not rows:
        return f"There are none about any {kind} yet."
    return f"There are some about: {_closest(rows, name)}."


def _closest(rows: Sequence[Row], name: str) -> str:
    """The names of the rows, those most like `name` first."""
    wanted = _key(name[:COMPARED_CHARACTERS])
    closest = sorted(rows, key=lambda row: _likeness(wanted, row), reverse=True)
    return _listed([_name(row) for row in closest])


def _likeness(wanted: str, row: Row) -> float:
    """How much a row is called what was wanted; in a name that begins with it, 1 or more."""
    return max(
        SequenceMatcher(None, wanted, name).ratio() + name.startswith(wanted)
        for name in (_key(row["id"]), _key(row.get("name") or row["label"]))
    )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _name(row: Row) -> str:
    return row["name"] if "name" in row else f"{row['id']} ({row['label']})"


def _key(name: str) -> str:
    return " ".join(fold(name).replace("_", " ").replace("-", " ").split())
