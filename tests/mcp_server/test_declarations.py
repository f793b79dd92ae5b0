"""Declarations of tools, resources and prompts, and checks of the settings."""

from collections.abc import Callable
from typing import Annotated

import pytest
from django.core.checks import run_checks

from mcp_server import (
    Content,
    PromptError,
    ServiceUnavailable,
    ToolError,
    completion,
    prompt,
    resource,
    tool,
)
from tests.mcp_server.mcp_client import initialize, refusal, send_stateless

pytestmark = [
    pytest.mark.django_db,  # Checks of other apps read rows. Django 6.1 runs them at any time.
    pytest.mark.usefixtures("empty_registry"),
]

BASE = "https://reviews.example"


def call(name, **arguments):
    return send_stateless("tools/call", {"name": name, "arguments": arguments}).result


# --- Tools ----------------------------------------------------------------------------------------


def test_tool_error_is_a_result_and_unavailable_data_is_503():
    @tool()
    def lend() -> str:
        raise ToolError("It is lent already.")

    @tool()
    def list_books() -> str:
        raise ServiceUnavailable(retry_after_seconds=30)

    assert refusal(call("lend")) == "It is lent already."
    reply = send_stateless("tools/call", {"name": "list_books"})
    assert (reply.status, reply.code, reply.headers["Retry-After"]) == (503, -32603, "30")


# --- Resources and prompts ------------------------------------------------------------------------


def read(uri):
    return send_stateless("resources/read", {"uri": uri})


def test_resource_is_a_text_or_several_contents():
    @resource("/books.json", size=lambda: 8)
    def books() -> str:
        """All books."""
        return '["Emma"]'

    @resource("library://rules", title="House rules", media_type="text/plain")
    def rules() -> list[Content]:
        return [Content("text/plain", "Quiet."), Content("text/html", "<p>Quiet.")]

    listed = send_stateless("resources/list").result["resources"]

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


def test_template_receives_its_variable():
    @resource("/books/{id}/text", media_type="text/plain")
    def book(id: str) -> str | None:  # noqa: A002  (the variable's name)
        return "Emma Woodhouse" if id == "1" else None

    assert send_stateless("resources/list").result["resources"] == []
    (template,) = send_stateless("resources/templates/list").result["resourceTemplates"]
    assert template["uriTemplate"] == f"{BASE}/books/{{id}}/text"
    assert read(f"{BASE}/books/1/text").result["contents"][0]["text"] == "Emma Woodhouse"
    for wrong in ("/books/2/text", "/books/1", "/books//text", "/books/1/1/text", "/books/text"):
        assert read(BASE + wrong).code == -32602


def test_prompt_and_completion_of_argument():
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
        return send_stateless("prompts/get", {"name": "recommend", "arguments": arguments})

    (listed,) = send_stateless("prompts/list").result["prompts"]
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
    assert send_stateless("completion/complete", params).result["completion"]["values"] == ["sad"]


# --- Settings -------------------------------------------------------------------------------------


def test_server_without_settings_uses_request_url(settings, db):
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
        ("MCP_PERMISSION", "library.gone", "E001"),
        ("MCP_COMPRESSOR", "library.gone", "E001"),
        ("MCP_ALLOWED_ORIGINS", "app.example", "E003"),
        ("MCP_SERVER", {"instructions": "Books.", "titel": "Library"}, "E005"),
        ("MCP_SERVER", [], "E005"),
        ("MCP_PERMISION", "library.auth.is_member", "E005"),  # Otherwise the server would be open.
        ("MCP_SESSION_SECONDS", "60", "E005"),
        ("MCP_MAX_BODY_BYTES", -1, "E005"),
    ],
)
def test_check_names_missing_or_wrong_setting(settings, name, value, check):
    declare("A book.")
    setattr(settings, name, value)
    assert found_checks() == [f"mcp_server.{check}"]


def test_check_finds_empty_server_and_tool_without_description():
    assert found_checks() == ["mcp_server.W003"]
    declare("")
    assert found_checks() == ["mcp_server.W004"]


def test_deployment_check_requires_shared_cache(settings):
    declare("A book.")
    shared = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "shared_cache"}
    settings.CACHES = {"default": shared}
    assert found_checks(deploy=True) == []
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    assert found_checks(deploy=True) == ["mcp_server.W005"]
