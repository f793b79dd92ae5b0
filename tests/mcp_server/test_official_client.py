"""Official Python client, with and without sessions, against two web processes."""

import asyncio
import http.client
import json
from contextlib import closing

import pytest

from mcp_server.registry import registry
from tests.mcp_server.calls import valid_calls
from tests.mcp_server.mcp_client import initialize_params, request

pytestmark = pytest.mark.slow


async def read_everything(address, mode, calls):
    """Return the results of a client in one connection."""
    from mcp import (
        Client,  # Imported late, since every process of a run would spend a second on it.
    )

    async with Client(address, mode=mode) as client:
        searches = [client.call_tool("search_reviews", {"limit": n}) for n in range(1, 9)]
        return {
            "revision": client.protocol_version,
            "tools": [tool.name for tool in (await client.list_tools()).tools],
            "resources": (await client.list_resources()).resources,
            "templates": (await client.list_resource_templates()).resource_templates,
            "prompts": (await client.list_prompts()).prompts,
            "found": await asyncio.gather(*searches),
            "called": {name: await client.call_tool(name, given) for name, given in calls.items()},
            "refused": await client.call_tool("search_reviews", {"limit": 1000}),
            "read": await client.read_resource(f"{address.removesuffix('/mcp')}/api/feed.json"),
            "prompt": await client.get_prompt("summarize_reviews", {"since": "2026-01-01"}),
        }


@pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_official_client_reads_everything(ports, mode, revision):
    calls = valid_calls(ports[0])

    seen = asyncio.run(read_everything(f"http://127.0.0.1:{ports[0]}/mcp", mode, calls))

    assert seen["revision"] == revision
    assert seen["tools"] == list(registry.tools)
    assert (len(seen["resources"]), len(seen["templates"]), len(seen["prompts"])) == (7, 1, 2)
    # The client validates each result against the tool's output schema.
    returned = [answer.structured_content["returned"] for answer in seen["found"]]
    assert returned == list(range(1, 9))  # One connection serves parallel requests.
    assert list(seen["called"]) == list(registry.tools)
    assert not [name for name, answer in seen["called"].items() if answer.is_error]
    assert seen["refused"].is_error
    assert seen["refused"].content[0].text == "limit must be a whole number from 1 to 100."
    assert len(json.loads(seen["read"].contents[0].text)["items"]) == 50
    assert "on or after 2026-01-01" in seen["prompt"].messages[0].content.text


def send(port, message, method="POST", **headers):
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        fields = {"Content-Type": "application/json"} | headers
        connection.request(method, "/mcp", json.dumps(message), fields)
        response = connection.getresponse()
        response.read()
        return response.status, response.getheader("Mcp-Session-Id")


def test_session_is_valid_in_both_processes_and_ends_in_both(ports):
    ping = request("ping")
    one, other = ports

    _, session = send(one, request("initialize", initialize_params()))
    headers = {"Mcp-Session-Id": session}

    assert send(other, ping, **headers)[0] == 200
    assert send(other, None, "DELETE", **headers)[0] == 204
    assert send(one, ping, **headers)[0] == 404
    assert send(other, ping, **headers)[0] == 404


def test_disconnected_client_does_not_affect_others(ports):
    for _ in range(20):
        with closing(http.client.HTTPConnection("127.0.0.1", ports[0])) as connection:
            fields = {"Content-Type": "application/json", "Content-Length": "1000"}
            connection.request("POST", "/mcp", b"{", fields)
    assert send(ports[0], request("ping"))[0] == 400
