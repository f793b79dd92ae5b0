"""Asynchronous functions, the context of a call, and messages before its answer."""

import asyncio
import json
from threading import Event
from typing import Any

import django.test
import pytest
from asgiref.sync import async_to_sync

from mcp_server import Context, ToolError, completion, example, prompt, resource, tool
from mcp_server.testing import Client, RequestFailed
from tests.mcp_server.mcp_client import META, MODERN, request, send_stateless, stateless_headers

pytestmark = pytest.mark.usefixtures("empty_registry")

STREAM = "application/json, text/event-stream"
REPORTING = {"name": "count", "_meta": {**META, "progressToken": "t"}}
MIRRORED = stateless_headers(request("tools/call", REPORTING)) | {"accept": STREAM}
HEADERS = {name.replace("_", "-"): value for name, value in MIRRORED.items()}


@pytest.fixture
def _counting(empty_registry):
    @tool
    async def count(context: Context, *, fails: bool = False) -> int:
        for number in (1, 2):
            await asyncio.sleep(0)
            context.progress(number, 2, f"Step {number}")
            context.log({"step": number}, "debug")
        context.log("Done.", "notice")
        if fails:
            raise ToolError("It failed.")
        return 2


def test_asynchronous_functions_are_served():
    @tool
    async def find(words: str) -> list[str]:
        return [words]

    @resource("/books/{title}", media_type="text/plain")
    async def book(title: str) -> str | None:
        return title

    @prompt
    async def recommend(title: str) -> str:
        return f"Like {title}?"

    @completion("title")
    async def titles(typed: str) -> list[str]:
        return [f"{typed}mma"]

    @example("words")
    async def word() -> str:
        return "Emma"

    client = Client()

    assert client.call_tool("find", {"words": "a"}).structured == {"result": ["a"]}
    assert send_stateless("resources/read", {"uri": "https://reviews.example/books/Emma"}).result
    assert client.get_prompt("recommend", {"title": "Emma"}) == "Like Emma?"
    ref = {"type": "ref/prompt", "name": "recommend"}
    completed = {"ref": ref, "argument": {"name": "title", "value": "E"}}
    assert client.request("completion/complete", completed)["completion"]["values"] == ["Emma"]
    assert client.list_tools()["find"]["inputSchema"]["properties"]["words"]["examples"] == ["Emma"]


@pytest.mark.parametrize("revision", ["2025-11-25", MODERN])
def test_context_has_request_and_session(revision):
    @tool
    def look(context: Context) -> dict[str, object]:
        return {"path": context.request.path, "session": context.session}

    @resource("note://path")
    def path(context: Context) -> str:
        return context.request.path

    @prompt
    def ask(context: Context, words: str) -> str:
        return f"{words} {context.request.path}"

    client = Client(revision=revision)
    client.initialize()

    assert client.list_tools()["look"]["inputSchema"] == {"type": "object", "properties": {}}
    session = client.headers.get("Mcp-Session-Id")
    assert client.call_tool("look").structured == {"path": "/mcp", "session": session}
    assert client.read_resource("note://path") == "/mcp"
    assert client.get_prompt("ask", {"words": "At"}) == "At /mcp"


@pytest.mark.usefixtures("_counting")
def test_progress_and_log_come_before_the_result():
    result = Client().call_tool("count", log_level="info")

    assert result.structured == {"result": 2}
    assert result.notifications == [
        {"jsonrpc": "2.0", "method": f"notifications/{kind}", "params": params}
        for kind, params in [
            ("progress", {"progressToken": 1, "progress": 1, "total": 2, "message": "Step 1"}),
            ("progress", {"progressToken": 1, "progress": 2, "total": 2, "message": "Step 2"}),
            ("message", {"level": "notice", "logger": "count", "data": "Done."}),
        ]
    ]


@pytest.mark.usefixtures("_counting")
def test_client_without_stream_or_token_gets_result_only():
    for accept, params in (("application/json", REPORTING), (STREAM, {"name": "count"})):
        reply = send_stateless("tools/call", params, accept=accept)
        assert reply.headers["Content-Type"] == "application/json"
        assert reply.result["structuredContent"] == {"result": 2}


def test_error_during_call_ends_stream_with_error(caplog):
    @tool
    def count(context: Context) -> int:
        context.progress(1)
        raise RuntimeError("internals")

    with pytest.raises(RequestFailed) as failed:
        Client().call_tool("count")

    assert failed.value.error["code"] == -32603
    assert "internals" not in failed.value.error["message"]
    assert "An MCP request met a fault" in caplog.text


@pytest.mark.django_db(transaction=True)  # Closing the response checks the connection.
def test_call_ends_when_client_disconnects():
    has_left, has_ended = Event(), Event()

    @tool
    def count(context: Context) -> int:
        try:
            context.progress(1)
            has_left.wait(10)
            context.progress(2)
        finally:
            has_ended.set()
        raise AssertionError

    response = django.test.Client().post(
        "/mcp",
        request("tools/call", REPORTING),
        content_type="application/json",
        headers=HEADERS,
    )
    assert b'"progress":1' in next(iter(response))
    response.close()
    has_left.set()

    assert has_ended.wait(10)


@pytest.mark.usefixtures("_counting")
def test_stream_and_asynchronous_tool_under_asgi():
    @async_to_sync
    async def received() -> list[Any]:
        response = await django.test.AsyncClient().post(
            "/mcp",
            request("tools/call", REPORTING),
            content_type="application/json",
            headers=HEADERS,
        )
        return [json.loads(chunk.partition(b"data: ")[2]) async for chunk in response]

    *messages, answer = received()

    assert [each["params"]["progress"] for each in messages] == [1, 2]
    assert answer["result"]["structuredContent"] == {"result": 2}
