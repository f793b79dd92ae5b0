"""Interfaces for programs and assistants, read from `interfaces.toml` and `assistants.toml`."""

import json
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from django.utils.translation import gettext
from rest_framework.serializers import BaseSerializer

from core.serializers import json_schema
from embed.options import OptionsSerializer
from mcp_server.methods import MODERN
from mcp_server.stateless import CAPABILITIES_KEY, VERSION_KEY
from publishing.registry import registry
from reviews.models import Review
from reviews.search.parameters import SearchSerializer

DEFAULT_DATE = "2026-01-01"
LABELS = frozenset({"title", "summary", "notes", "steps"})
_FOLDER = Path(__file__).parent
_DEFAULTS = {"notes": [], "is_readable": True, "is_catalogued": False, "is_described": True}


def example_date(newest: Sequence[Review]) -> str:
    """Return the date of the last review, for examples that should find some reviews."""
    return newest[-1].date.isoformat() if newest else DEFAULT_DATE


def interfaces(base_url: str, since: str) -> list[dict[str, Any]]:
    """Describe every interface at `base_url`; `since` is the date of examples."""
    return [
        _interface(entry)
        for entry in _load("interfaces.toml", base_url=base_url, since=since)["interface"]
    ]


def _interface(entry: Mapping[str, Any]) -> dict[str, Any]:
    found = {**_DEFAULTS, **entry}
    if name := entry.get("document"):
        spec = next(spec for spec in registry if spec.name == name)
        found.setdefault("anchor", name)
        found |= {
            "title": gettext(spec.title),
            "address": spec.url,
            "summary": gettext(spec.description),
        }
    found["commands"] = [
        shlex.join(["curl", *arguments, address])
        for address, *arguments in entry.get("curl", [[found["address"]]])
    ]
    found["parameters"] = _parameters(found["anchor"])
    return found


@cache
def _parameters(anchor: str) -> list[dict[str, str]]:
    """Describe each parameter of an interface from its serializer."""
    tables: dict[str, tuple[type[BaseSerializer[Any]], str]] = {
        "search": (SearchSerializer, "_"),
        "widgets": (OptionsSerializer, "-"),
    }
    if anchor not in tables:
        return []
    serializer, joint = tables[anchor]
    return [
        {
            "name": name.replace("_", joint),
            "values": ", ".join(_values(schema)),
            "text": schema["description"],
        }
        for name, schema in json_schema(serializer)["properties"].items()
    ]


def _values(schema: Mapping[str, Any]) -> Iterator[str]:
    """Describe the values that a schema allows."""
    choices = schema.get("enum", [])
    least, most = schema.get("minimum"), schema.get("maximum")
    if choices and schema["type"] == "integer":
        least, most = choices[0], choices[-1]
    elif choices:
        yield from choices
    if most is not None:
        yield f"{least} to {most}"
    if schema["type"] == "boolean":
        yield "true or false"
    elif "format" in schema:
        yield {"date": "YYYY-MM-DD", "date-time": "RFC 3339"}[schema["format"]]
    elif "maxLength" in schema:
        yield f"up to {schema['maxLength']} characters"


def assistants(base_url: str) -> list[dict[str, Any]]:
    """Return anchor, title, steps and snippet of every assistant."""
    entries: list[dict[str, Any]] = _load("assistants.toml", address=f"{base_url}/mcp")["assistant"]
    return entries


def tool_call(base_url: str) -> str:
    """Return a command that calls a tool in one request, without a session."""
    meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}
    params = {"name": "search_reviews", "arguments": {"rating": 5, "limit": 3}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "Content-Type": "application/json",
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "search_reviews",
    }
    given = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
    return shlex.join(["curl", f"{base_url}/mcp", *given, "-d", json.dumps(body)])


def _load(name: str, **values: str) -> dict[str, Any]:
    """Load a TOML file, translate its labels, and fill in values."""
    filled: dict[str, Any] = _fill(_read(name), values)
    return filled


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / name).read_text("utf-8"))


def _fill(value: Any, values: Mapping[str, str], *, is_label: bool = False) -> Any:
    if isinstance(value, dict):
        return {key: _fill(each, values, is_label=key in LABELS) for key, each in value.items()}
    if isinstance(value, list):
        return [_fill(each, values, is_label=is_label) for each in value]
    if isinstance(value, str):
        return Template(gettext(value) if is_label else value).substitute(values)
    return value
