"""Lookups of subjects by MCP arguments, with their completions and examples."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from insights import documents
from mcp_server import ServiceUnavailable, ToolError, completion, example
from mcp_server.jsonrpc import quote_for_message
from publishing.selectors import DocumentUnavailable
from review_analysis.text import fold
from reviews.current import current_roster
from reviews.mcp_arguments import closest, normalize, service_slug, technician_slug

Row = dict[str, Any]
Find = Callable[[Row, str], Row]


def current_insights() -> Row:
    """Return `/insights.json` without `per_review`. Raises `ServiceUnavailable`."""
    try:
        return documents.insights()
    except DocumentUnavailable as error:
        raise ServiceUnavailable("/insights.json is not published.") from error


# --- Lookups --------------------------------------------------------------------------------------

# `known` is the dataset. A tool reads the dataset once, so that its answer is consistent.


def aspect(known: Row, name: str) -> Row:
    """Find an aspect by id or label. Raises `ToolError`."""
    wanted, rows = normalize(name), known["aspects"]
    ids = [row["id"] for row in rows if wanted in {normalize(row["id"]), normalize(row["label"])}]
    return _find("aspect", rows, name, next(iter(ids), ""))


def technician(known: Row, name: str) -> Row:
    """Find a technician by id, name, alias or unique first name. Raises `ToolError`."""
    return _find("technician", known["entities"]["technicians"], name, technician_slug(name))


def service(known: Row, name: str) -> Row:
    """Find a service by id or label. Raises `ToolError`."""
    return _find("service", known["entities"]["services"], name, service_slug(name))


def _find(kind: str, rows: Sequence[Row], name: str, wanted: str | None) -> Row:
    for row in rows:
        if row["id"] == wanted:
            return row
    # A subject that a single review mentions may be missing from the dataset.
    valid = f"There are none about any {kind} yet."
    if rows:
        valid = f"There are some about: {closest(rows, name)}."
    unknown = quote_for_message(name)
    raise ToolError(f"There are no insights about the {kind} {unknown}. {valid}")


# --- Completions ----------------------------------------------------------------------------------


@completion("aspect")
def complete_aspect(typed: str) -> list[str]:
    """Complete ids, then labels; an argument takes both."""
    rows = current_insights()["aspects"]
    return matching([row["id"] for row in rows] + [row["label"] for row in rows], typed)


@completion("technician")
def complete_technician(typed: str) -> list[str]:
    return matching([entry.name for entry in current_roster().people], typed)


@completion("service")
def complete_service(typed: str) -> list[str]:
    return matching([entry.slug for entry in current_roster().services], typed)


def matching(names: Sequence[str], typed: str) -> list[str]:
    """Return the names that begin with the typed text, then names that contain it."""
    wanted = fold(typed.strip())
    beginning = [name for name in names if fold(name).startswith(wanted)]
    return beginning + [name for name in names if wanted in fold(name) and name not in beginning]


# --- Examples -------------------------------------------------------------------------------------

# An example is the first subject by id, preferably one with insights. Examples change seldom, so
# clients may cache the list of tools.


@example("aspect")
def aspect_example() -> str | None:
    return next((row["id"] for row in _by_id(lambda known: known["aspects"])), None)


@example("mentions_technician", "name")
def technician_example() -> str | None:
    names = [row["name"] for row in _by_id(lambda known: known["entities"]["technicians"])]
    return next(iter([*names, *(entry.name for entry in current_roster().people)]), None)


@example("mentions_service", "service")
def service_example() -> str | None:
    ids = [row["id"] for row in _by_id(lambda known: known["entities"]["services"])]
    return next(iter([*ids, *(entry.slug for entry in current_roster().services)]), None)


def _by_id(select: Callable[[Row], Sequence[Row]]) -> list[Row]:
    try:
        return sorted(select(current_insights()), key=itemgetter("id"))
    except ServiceUnavailable:
        return []
