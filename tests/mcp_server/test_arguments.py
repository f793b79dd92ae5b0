"""Arguments as clients send them, and the schemas that makers' converters read (G26 to G29)."""

import datetime as dt
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from demo.business import SERVICES, technicians
from insights.refresh import refresh
from mcp_server.arguments import InvalidArguments
from mcp_server.registry import registry
from publishing.selectors import DocumentUnavailable
from reviews.mcp_arguments import SerializerArguments
from reviews.models import Service, Technician
from reviews.search.fields import InstantField, OrderField, WholeNumberField, YesOrNoField
from reviews.search.parameters import FIELDS, ParametersSerializer
from tests.factories import make_review, make_service, make_technician
from tests.mcp_server.talking import Session, modern, refusal

KINDS = {"string": "2026-01-01", "integer": 2, "number": 2.5, "boolean": True}


class Others(ParametersSerializer):
    has_text = YesOrNoField(help_text="Only reviews with a text.", example=True)
    sort = OrderField(("newest", "oldest"), help_text="Their order.", example="oldest")
    changed_since = InstantField(
        help_text="Only what changed since.", example="2026-01-01T00:00:00Z"
    )


class Numbers(ParametersSerializer):
    n = WholeNumberField(help_text="A number.", min_value=-(10**9), max_value=10**9)


# --- What is not given ----------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", [None, ""])
def test_optional_argument_of_nothing_is_not_given(session, nothing):
    for name, tool in registry.tools.items():  # G26
        schema = tool.arguments.schema()
        optional = set(schema["properties"]) - set(schema.get("required", []))
        needed = dict(zip(schema.get("required", []), ["x"], strict=False))
        assert session.call(name, {**needed, **dict.fromkeys(optional, nothing)}) == (
            session.call(name, needed)
        )


@pytest.mark.parametrize("nothing", [None, "", " "])
@pytest.mark.parametrize(
    ("tool", "argument"),
    [
        ("get_review", "id"),
        ("get_technician", "name"),
        ("get_service", "service"),
        ("get_aspect_sentiment", "aspect"),
    ],
)
def test_required_argument_of_nothing_must_be_given(session, tool, argument, nothing):
    assert refusal(session.call(tool, {argument: nothing})) == f"{argument} must be given."


@pytest.mark.parametrize("nothing", [None, ""])
def test_misspelt_argument_of_nothing_is_refused(session, nothing):
    message = refusal(session.call("search_reviews", {"ratng": nothing}))
    assert message.startswith("ratng is not an argument; use rating, min_rating, ")


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
        ({"rating": " 5 "}, {"rating": 5}),
        ({"rating": "5.0"}, {"rating": 5}),
        ({"limit": "2"}, {"limit": 2}),
        ({"limit": "02"}, {"limit": 2}),
        ({"min_rating": "4"}, {"min_rating": 4}),
        ({"min_rating": "4.5"}, {"min_rating": 4.5}),
        ({"since": " 2026-02-02 "}, {"since": "2026-02-02"}),
        ({"max_rating": "3"}, {"max_rating": 3}),
        ({"max_rating": "4.5"}, {"max_rating": 4.5}),
        ({"has_text": "true"}, {"has_text": True}),
        ({"has_text": "False"}, {"has_text": False}),
        ({"has_reply": "false"}, {"has_reply": False}),
        # Refused alike, too.
        ({"limit": "0"}, {"limit": 0}),
        ({"limit": "-5"}, {"limit": -5}),
        ({"limit": "101"}, {"limit": 101}),
        ({"rating": "4.5"}, {"rating": 4.5}),
        ({"min_rating": "5.1"}, {"min_rating": 5.1}),
    ],
)
def test_digits_as_a_text_are_the_number(session, text, value):
    assert session.call("search_reviews", text) == session.call("search_reviews", value)  # G27


@pytest.mark.parametrize(
    "text", ["five", "5 stars", "\u0665", "0x5", "1e1", "5,0", "9" * 400, "null"]
)
def test_text_that_is_no_number_is_refused(session, text):
    assert refusal(session.call("search_reviews", {"rating": text})) == (
        "rating must be a whole number from 1 to 5."
    )


def test_digits_in_words_to_search_for_stay_a_text(session):
    make_review(text="24 hours a day")
    found = session.call("search_reviews", {"query": "24"})["structuredContent"]
    assert found["matched"] == 1


@pytest.mark.parametrize(
    ("given_value", "value"),
    [("true", True), ("True", True), (" FALSE ", False), (True, True), (False, False)],
)
def test_boolean_as_a_text_is_the_boolean(given_value, value):
    assert (SerializerArguments(Others).validate({"has_text": given_value}))["has_text"] is value


@pytest.mark.parametrize("value", ["yes", "1", 1, "truth"])
def test_text_that_is_no_boolean_is_refused(value):
    with pytest.raises(InvalidArguments, match=r"^has_text must be true or false\.$"):
        SerializerArguments(Others).validate({"has_text": value})


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
@example(10**20)
def test_number_and_its_digits_are_read_alike(value):
    known = SerializerArguments(Numbers)

    def read(given_value):
        try:
            return known.validate({"n": given_value})
        except InvalidArguments as refused:
            return str(refused)

    text = repr(value)
    if "e" not in text:
        assert read(text) == read(value)


# --- Schemas --------------------------------------------------------------------------------------


def test_schemas_hold_what_every_converter_keeps(session):
    for tool in session.ask("tools/list").result["tools"]:  # G28
        schema = tool["inputSchema"]
        Draft202012Validator.check_schema(schema)
        assert set(schema) <= {"type", "properties", "required"}
        for name, argument in schema["properties"].items():
            assert argument["type"] in KINDS, name
            assert set(argument) <= {
                *("type", "description", "enum", "minimum", "maximum", "maxLength"),
                *("default", "examples"),
            }, name


def test_descriptions_tell_ranges_and_formats(session):
    tools = {tool["name"]: tool for tool in session.ask("tools/list").result["tools"]}
    described = {
        name: argument["description"]
        for name, argument in tools["search_reviews"]["inputSchema"]["properties"].items()
    }
    assert described["rating"].endswith(" From 1 to 5.")
    assert described["limit"].endswith(" From 1 to 100. 20 where it is left out.")
    assert described["since"].endswith(" A day written as YYYY-MM-DD.")
    assert described["query"].endswith(" At most 200 characters.")
    assert described["sort"].endswith(" newest where it is left out.")
    assert " One of: newest, oldest, highest, lowest. " in described["sort"]
    assert described["changed_since"].endswith(" A time written as YYYY-MM-DDThh:mm:ssZ.")
    trend = tools["get_trend"]["inputSchema"]["properties"]
    assert list(trend) == ["since", "until"]
    assert all("YYYY-MM-DD" in each["description"] for each in trend.values())


def test_new_kind_of_parameter_is_described_by_itself():
    schema = SerializerArguments(Others).schema()
    assert schema["properties"] == {
        "has_text": {
            "type": "boolean",
            "description": "Only reviews with a text.",
            "examples": [True],
        },
        "sort": {
            "type": "string",
            "description": "Their order. One of: newest, oldest. newest where it is left out.",
            "enum": ["newest", "oldest"],
            "default": "newest",
            "examples": ["oldest"],
        },
        "changed_since": {
            "type": "string",
            "description": ("Only what changed since. A time written as YYYY-MM-DDThh:mm:ssZ."),
            "examples": ["2026-01-01T00:00:00Z"],
        },
    }


def test_search_takes_every_parameter_of_the_search_over_http():
    assert list(registry.tools["search_reviews"].arguments.schema()["properties"]) == list(FIELDS)


# --- Examples -------------------------------------------------------------------------------------


def examples(session):
    return {
        (tool["name"], name): argument["examples"][0]
        for tool in session.ask("tools/list").result["tools"]
        for name, argument in tool["inputSchema"]["properties"].items()
        if "examples" in argument
    }


def test_examples_are_names_of_the_roster(session):
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


def test_examples_that_name_somebody_have_an_answer(session):
    for (tool, name), given_text in examples(session).items():
        assert session.call(tool, {name: given_text})["isError"] is False, (tool, name)


def test_examples_of_names_are_left_out_where_there_are_none(db):
    found = examples(Session())
    assert not [key for key in found if key[1] in {"name", "service", "aspect", "cursor", "id"}]
    assert not [key for key in found if key[1].startswith("mentions_")]
    assert found["search_reviews", "rating"] == 5


def test_names_without_insights_are_examples_too(db):
    make_technician("Ana Ruiz")
    refresh()
    assert examples(Session())["search_reviews", "mentions_technician"] == "Ana Ruiz"


def test_tools_are_listed_where_nothing_is_published_yet(db, monkeypatch):
    def missing(path):
        raise DocumentUnavailable

    monkeypatch.setattr("insights.documents.get_document", missing)
    assert len(modern("tools/list").result["tools"]) == len(registry.tools)
