"""What a name in an argument means: an aspect, a technician or a service, or a helpful refusal."""

from collections.abc import Sequence
from typing import Any

from mcp_server import dataset
from mcp_server.jsonrpc import shown
from mcp_server.offer import CannotAnswer
from reviews.answers import current_roster
from reviews.text import fold

NAMED = 50  # So many valid names a refusal lists.

Row = dict[str, Any]


def aspect(name: str) -> Row:
    """The aspect of this id or label. Raises `CannotAnswer`."""
    rows = dataset.insights()["aspects"]
    return _found(rows, lambda row: _key(name) in {_key(row["id"]), _key(row["label"])}, name)


def technician(name: str) -> Row:
    """The technician of this id, name, alias or unique first name. Raises `CannotAnswer`."""
    slug = current_roster().resolve_technician(name)
    rows = dataset.insights()["entities"]["technicians"]
    return _found(rows, lambda row: row["id"] == slug, name, "technician")


def service(name: str) -> Row:
    """The service of this id or label. Raises `CannotAnswer`."""
    slug = current_roster().resolve_service(name)
    rows = dataset.insights()["entities"]["services"]
    return _found(rows, lambda row: row["id"] == slug, name, "service")


def aspect_names() -> list[str]:
    return [row["id"] for row in dataset.insights()["aspects"]]


def technician_names() -> list[str]:
    return [entry.name for entry in current_roster().technicians]


def service_names() -> list[str]:
    return [entry.slug for entry in current_roster().services]


def _found(rows: Sequence[Row], is_meant: Any, name: str, kind: str = "aspect") -> Row:
    for row in rows:
        if is_meant(row):
            return row
    raise CannotAnswer(f"No review mentions the {kind} {shown(name)}. {_valid(rows, kind)}")


def _valid(rows: Sequence[Row], kind: str) -> str:
    if not rows:
        return f"The reviews mention no {kind} yet."
    names = [_name(row) for row in rows[:NAMED]]
    more = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return f"The reviews mention: {', '.join(names)}{more}."


def _name(row: Row) -> str:
    return row["name"] if "name" in row else f"{row['id']} ({row['label']})"


def _key(name: str) -> str:
    return " ".join(fold(name).replace("_", " ").replace("-", " ").split())
