"""Names in MCP arguments: technicians and services of the roster, or a helpful refusal."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from mcp_server import ToolError
from mcp_server.jsonrpc import quote_for_message
from review_analysis.text import fold
from reviews.current import current_roster

MAX_LISTED = 50  # Valid names that a refusal lists.
COMPARED_CHARACTERS = 60  # Comparing takes quadratic time.

Row = dict[str, Any]


def technician_slug(name: str) -> str:
    """The technician of this id, name, alias or unique first name. Raises `ToolError`."""
    roster = current_roster()
    slug = roster.resolve_technician(name)
    if slug is not None:
        return slug
    people, wanted = roster.technicians, normalize(name)
    alike = [each.name for each in people if wanted in map(normalize, each.names)]
    if len(alike) > 1:
        raise ToolError(f"{quote_for_message(name)} is what several go by: {join_names(alike)}.")
    rows = [{"id": each.slug, "name": each.name} for each in people]
    raise _unknown("technician", rows, name)


def service_slug(name: str) -> str:
    """The service of this id or label. Raises `ToolError`."""
    roster = current_roster()
    slug = roster.resolve_service(name)
    if slug is not None:
        return slug
    rows = [{"id": each.slug, "label": each.label} for each in roster.services]
    raise _unknown("service", rows, name)


def refuse_unknown(filters: Mapping[str, Any]) -> None:
    """Refuse filters by names that are unknown or ambiguous. Raises `ToolError`."""
    if name := filters.get("mentions_technician"):
        technician_slug(name)
    if name := filters.get("mentions_service"):
        service_slug(name)


def closest(rows: Sequence[Row], name: str) -> str:
    """The names of the rows, those most like `name` first."""
    wanted = normalize(name[:COMPARED_CHARACTERS])
    ordered = sorted(rows, key=lambda row: _likeness(wanted, row), reverse=True)
    return join_names([_name(row) for row in ordered])


def join_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return f"{', '.join(names[:MAX_LISTED])}{more}"


def normalize(name: str) -> str:
    return " ".join(fold(name).replace("_", " ").replace("-", " ").split())


def _unknown(kind: str, rows: Sequence[Row], name: str) -> ToolError:
    known = f"There are: {closest(rows, name)}" if rows else "There are none"
    return ToolError(f"There is no {kind} {quote_for_message(name)}. {known}.")


def _likeness(wanted: str, row: Row) -> float:
    """How similar a row's name is to the wanted one; 1 or more if it begins with it."""
    return max(
        SequenceMatcher(None, wanted, name).ratio() + name.startswith(wanted)
        for name in (normalize(row["id"]), normalize(row.get("name") or row["label"]))
    )


def _name(row: Row) -> str:
    return row["name"] if "name" in row else f"{row['id']} ({row['label']})"
