"""Tools, resources and prompts as any app declares them, and the checks of a server's settings."""

import datetime as dt
from collections.abc import Callable
from typing import Annotated, Literal

import pytest
from django.core.checks import run_checks

from mcp_server import (
    READ_ONLY,
    Content,
    JsonText,
    PromptError,
    ServiceUnavailable,
    ToolError,
    completion,
    example,
    prompt,
    resource,
    tool,
)
from mcp_server.registry import registry
from tests.mcp_server.talking import initialize, modern, refusal, text_of

pytestmark = pytest.mark.django_db  # Checks of other apps read rows, with Django 6.1 at any time.

BASE = "https://reviews.example"


@pytest.fixture(autouse=True)
def empty_registry(monkeypatch):
    for kind in ("tools", "prompts", "resources", "completions", "examples"):
        monkeypatch.setattr(registry, kind, {})


def call(name, **arguments):
    return modern("tools/call", {"name": name, "arguments": arguments}).result


# --- Tools ----------------------------------------------------------------------------------------


@pytest.fixture
def _books():
    @tool(annotations=READ_ONLY)
    def find_books(
        words: Annotated[str, "Part of a title."],
        limit: int = 10,
        least: float | None = None,
        sort: Literal["title", "year"] = "title",
        since: dt.date | None = None,
        *,
        lent: bool = False,
    ) -> str:
        """Books with these words in their titles."""
        return repr((words, limit, least, sort, since, lent))


@pytest.mark.usefixtures("_books")
def test_tool_is_described_by_its_function():
    (listed,) = modern("tools/list").result["tools"]

    assert listed == {
        "name": "find_books",
        "title": "Find books",
        "description": "Books with these words in their titles.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "words": {"type": "string", "description": "Part of a title."},
                "limit": {"type": "integer", "default": 10},
                "least": {"type": "number"},
                "sort": {"type": "string", "enum": ["title", "year"], "default": "title"},
                "since": {"type": "string", "format": "date"},
                "lent": {"type": "boolean", "default": False},
            },
            "required": ["words"],
        },
        "annotations": READ_ONLY,
    }
    called = call("find_books", words=" a", limit="3", least="2.5", since="2026-03-14", lent="true")
    assert text_of(called) == repr((" a", 3, 2.5, "title", dt.date(2026, 3, 14), True))
    assert "structuredContent" not in called
    assert text_of(call("find_books", words="a", limit=4.0, least=None, sort="")) == repr(
        ("a", 4, None, "title", None, False)
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "words must be given."),
        ({"words": ""}, "words must be given."),
        ({"words": 5}, "words must be a text."),
        ({"words": "\0"}, "words must be text in UTF-8 without NUL characters."),
        ({"words": "a", "limit": True}, "limit must be a whole number."),
        ({"words": "a", "limit": 1.5}, "limit must be a whole number."),
        ({"words": "a", "least": "much"}, "least must be a number."),
        ({"words": "a", "sort": "price"}, "sort must be one of title, year."),
        ({"words": "a", "sort": []}, "sort must be one of title, year."),
        ({"words": "a", "lent": "maybe"}, "lent must be true or false."),
        (
            {"words": "a", "since": "2026-02-30"},
            "since must be a calendar day written as YYYY-MM-DD.",
        ),
        (
            {"words": "a", "limt": 1, "least": []},
            (
                "limt is not an argument; use words, limit, least, sort, since, lent.\n"
                "least must be a number."
            ),
        ),
    ],
)
@pytest.mark.usefixtures("_books")
def test_arguments_of_type_hints_are_checked(arguments, message):
    assert refusal(call("find_books", **arguments)) == message


def test_type_that_no_argument_can_have_is_refused_where_it_is_declared():
    def find_books(words: dict[str, str]) -> str:
        return ""

    with pytest.raises(TypeError, match="words has a type that no argument can have"):
        tool()(find_books)


@pytest.mark.parametrize("found", [{"title": "Emma"}, JsonText('{"title":"Emma"}')])
def test_object_is_structured_content_and_text(found):
    @tool(output_schema={"type": "object"})
    def get_book() -> object:
        return found

    called = call("get_book")

    assert text_of(called) == '{"title":"Emma"}'
    assert called["structuredContent"] == {"title": "Emma"}
    (listed,) = modern("tools/list").result["tools"]
    assert listed["outputSchema"] == {"type": "object"}
    assert "annotations" not in listed


def test_tool_error_is_a_result_and_unavailable_data_a_503():
    @tool()
    def lend() -> str:
        raise ToolError("It is lent already.")

    @tool()
    def list_books() -> str:
        raise ServiceUnavailable(retry_after_seconds=30)

    assert refusal(call("lend")) == "It is lent already."
    reply = modern("tools/call", {"name": "list_books"})
    assert (reply.status, reply.code, reply.headers["Retry-After"]) == (503, -32603, "30")


def test_example_of_an_argument_is_listed_while_there_is_one():
    titles = ["Emma"]

    @example("title")
    def first_title() -> str | None:
        return titles[0] if titles else None

    @tool()
    def get_book(title: str) -> str:
        return title

    def listed():
        return modern("tools/list").result["tools"][0]["inputSchema"]["properties"]["title"]

    assert listed() == {
        "type": "string",
        "description": "For example: Emma.",
        "examples": ["Emma"],
    }
    titles.clear()
    assert listed() == {"type": "string"}


# --- Resources and prompts ------------------------------------------------------------------------


def read(uri):
    return modern("resources/read", {"uri": uri})


def test_resource_is_a_text_or_several_contents():
    @resource("/books.json", size=lambda: 8)
    def books() -> str:
        """All books."""
        return '["Emma"]'

    @resource("library://rules", title="House rules", media_type="text/plain")
    def rules() -> list[Content]:
        return [Content("text/plain", "Quiet."), Content("text/html", "<p>Quiet.")]

    listed = modern("resources/list").result["resources"]

    assert listed == [
        {
            "uri": f"{BASE}/books.json",
            "name": "books",
            "title": "Books",
            "description": "All books.",
            "mimeType": "application/json",
            "size": 8,
        },
        {
            "uri": "library://rules",
            "name": "rules",
            "title": "House rules",
            "description": "",
            "mimeType": "text/plain",
        },
    ]
    assert read(f"{BASE}/books.json").result["contents"] == [
        {"uri": f"{BASE}/books.json", "mimeType": "application/json", "text": '["Emma"]'}
    ]
    assert [each["text"] for each in read("library://rules").result["contents"]] == [
        "Quiet.",
        "<p>Quiet.",
    ]


def test_template_takes_its_variable():
    @resource("/books/{id}/text", media_type="text/plain")
    def book(id: str) -> str | None:  # noqa: A002  (the variable's name)
        return "Emma Woodhouse" if id == "1" else None

    assert modern("resources/list").result["resources"] == []
    (template,) = modern("resources/templates/list").result["resourceTemplates"]
    assert template["uriTemplate"] == f"{BASE}/books/{{id}}/text"
    assert read(f"{BASE}/books/1/text").result["contents"][0]["text"] == "Emma Woodhouse"
    for wrong in ("/books/2/text", "/books/1", "/books//text", "/books/1/1/text", "/books/text"):
        assert read(BASE + wrong).code == -32602


def test_prompt_and_completion_of_its_argument():
    @prompt()
    def recommend(mood: Annotated[str, "How you feel."], count: int = 1) -> str:
        """Books for a mood."""
        if mood == "grim":
            raise PromptError("There is no such mood.")
        return f"Recommend {count} books to somebody who is {mood}."

    @completion("mood")
    def moods(typed: str) -> list[str]:
        return [mood for mood in ("sad", "gay") if mood.startswith(typed)]

    def get(**arguments):
        return modern("prompts/get", {"name": "recommend", "arguments": arguments})

    (listed,) = modern("prompts/list").result["prompts"]
    assert listed["arguments"] == [
        {"name": "mood", "title": "Mood", "description": "How you feel.", "required": True},
        {"name": "count", "title": "Count", "description": "", "required": False},
    ]
    text = get(mood="sad", count="2").result["messages"][0]["content"]["text"]
    assert text == "Recommend 2 books to somebody who is sad."
    assert get().error["message"] == "mood must be given."
    assert get(mood="grim").error["message"] == "There is no such mood."
    params = {
        "ref": {"type": "ref/prompt", "name": "recommend"},
        "argument": {"name": "mood", "value": "s"},
    }
    assert modern("completion/complete", params).result["completion"]["values"] == ["sad"]


# --- Settings -------------------------------------------------------------------------------------


def test_server_without_settings_is_at_the_address_of_the_request(settings, db):
    for name in ("MCP_SERVER", "MCP_RATE_LIMITER", "MCP_ALLOWED_ORIGINS"):
        delattr(settings, name)
    settings.ALLOWED_HOSTS = ["library.example"]

    result = initialize("2025-11-25", host="library.example").result

    assert result["instructions"] == ""
    assert result["serverInfo"] == {
        "name": "mcp-server",
        "title": "mcp-server",
        "version": "0",
        "websiteUrl": "http://library.example",
    }
    welcome = initialize(host="library.example", origin="http://library.example")
    foreign = initialize(host="library.example", origin="https://evil.example")
    assert (welcome.status, foreign.status) == (200, 403)


def found_checks(*, deploy: bool = False) -> list[str | None]:
    messages = run_checks(include_deployment_checks=deploy)
    return [each.id for each in messages if str(each.id).startswith("mcp_server.")]


def declare(description: str) -> Callable[..., str]:
    @tool(description=description)
    def get_book() -> str:
        return ""

    return get_book


@pytest.mark.parametrize(
    ("name", "value", "check"),
    [
        ("MCP_RATE_LIMITER", None, "W001"),
        ("MCP_RATE_LIMITER", "library.gone", "E001"),
        ("MCP_SERVER", {}, "W002"),
        ("MCP_SERVER", {"instructions": "library.gone"}, "E002"),
    ],
)
def test_check_names_a_setting_that_is_missing_or_wrong(settings, name, value, check):
    declare("A book.")
    setattr(settings, name, value)
    assert found_checks() == [f"mcp_server.{check}"]


def test_check_notices_an_empty_server_and_a_tool_without_description():
    assert found_checks() == ["mcp_server.W003"]
    declare("")
    assert found_checks() == ["mcp_server.W004"]


def test_check_before_deployment_asks_for_a_shared_cache(settings):
    declare("A book.")
    shared = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "shared_cache"}
    settings.CACHES = {"default": shared}
    assert found_checks(deploy=True) == []
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    assert found_checks(deploy=True) == ["mcp_server.W005"]
