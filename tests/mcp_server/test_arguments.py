"""Arguments as clients send them, and schemas that clients convert (G26 to G29)."""

import datetime as dt
import json

import pytest

from demo.business import SERVICES, technicians
from insights.refresh import refresh
from mcp_server.registry import registry
from reviews.models import Service, Technician
from tests.factories import make_review, make_service, make_technician
from tests.mcp_server.mcp_client import refusal

# --- Omitted arguments ----------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", [None, ""])
def test_empty_optional_argument_is_omitted(session, nothing):
    for name, tool in registry.tools.items():  # G26
        schema = tool.arguments.schema()
        optional = set(schema["properties"]) - set(schema.get("required", []))
        needed = dict(zip(schema.get("required", []), ["x"], strict=False))
        assert session.call(name, {**needed, **dict.fromkeys(optional, nothing)}) == (
            session.call(name, needed)
        )


def test_misspelt_argument_is_refused_by_every_tool(session):
    for name, tool in registry.tools.items():  # G21
        required = dict.fromkeys(tool.arguments.schema().get("required", []), "x")
        known = ", ".join(tool.arguments.schema()["properties"])
        use = f"use {known}" if known else "there are none"
        message = refusal(session.call(name, {**required, "naem": "x"}))
        assert message == f"naem is not an argument; {use}."


# --- Numbers as texts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ({"rating": "5"}, {"rating": 5}),
        ({"rating": "5.0"}, {"rating": 5}),
        ({"limit": "2"}, {"limit": 2}),
        ({"min_rating": "4.5"}, {"min_rating": 4.5}),
        ({"since": " 2026-02-02 "}, {"since": "2026-02-02"}),
        ({"has_text": "true"}, {"has_text": True}),
        ({"has_text": "False"}, {"has_text": False}),
        # Errors are equal, too.
        ({"limit": "0"}, {"limit": 0}),
        ({"limit": "101"}, {"limit": 101}),
        ({"rating": "4.5"}, {"rating": 4.5}),
    ],
)
def test_digits_as_text_are_a_number(session, text, value):
    assert session.call("search_reviews", text) == session.call("search_reviews", value)  # G27


# --- Examples -------------------------------------------------------------------------------------


def examples(session):
    return {
        (tool["name"], name): argument["examples"][0]
        for tool in session.ask("tools/list").result["tools"]
        for name, argument in tool["inputSchema"]["properties"].items()
        if "examples" in argument
    }


def test_examples_are_names_of_roster(session):
    Technician.objects.all().delete()  # G29
    Service.objects.all().delete()
    make_technician("Ana Ruiz")
    make_service("Sourdough")
    make_review(text="Ana Ruiz: sourdough!", technicians=["ana-ruiz"], services=["sourdough"])
    refresh(everything=True)

    found = examples(session)

    assert found["get_technician", "name"] == "Ana Ruiz"
    assert found["search_reviews", "mentions_technician"] == "Ana Ruiz"
    assert found["get_service", "service"] == "sourdough"
    assert found["search_reviews", "mentions_service"] == "sourdough"
    words = json.dumps([session.ask(f"{kind}/list").result for kind in ("tools", "prompts")])
    people = technicians(dt.date(2025, 1, 1), dt.date(2026, 1, 1))
    demo = [entry.name for entry in people] + [entry.slug for entry in SERVICES]
    assert not [name for name in demo if name in words]
