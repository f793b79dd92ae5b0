"""Clients of other makers, which convert and call the ten tools."""

import json
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_server.registry import registry
from tests.mcp_server.calls import document, valid_calls
from tests.processes import ROOT

SCRIPT = Path(__file__).parent / "clients" / "client.py"
PYTHON = ROOT / ".venv-mcp-clients" / "bin" / "python"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (PYTHON.parent.parent / ".installed").is_file(),
        reason="needs the environment that `make mcp-clients` makes",
    ),
]


@pytest.fixture
def port(ports):
    return ports[0]


def read_everything(client, port, calls):
    done = subprocess.run(
        [PYTHON, SCRIPT, client, f"http://127.0.0.1:{port}/mcp", json.dumps(calls)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])  # One of the clients logs to standard output.


def type_of(converted):
    """Return the type of a converted argument, without null."""
    kinds = [each["type"] for each in converted.get("anyOf", [converted])]
    return next(kind.lower() for kind in kinds if kind != "null")


@pytest.mark.parametrize(
    "client", ["official", "google_genai", "langchain", "mcp_use", "openai_agents"]
)
def test_client_lists_and_calls_every_tool(client, port):
    seen = read_everything(client, port, valid_calls(port))

    assert list(seen["tools"]) == list(registry.tools)
    for name, converted in seen["tools"].items():
        described = registry.tools[name].arguments.schema()["properties"]
        kept = converted.get("properties") or {}
        assert {argument: type_of(each) for argument, each in kept.items()} == {
            argument: each["type"] for argument, each in described.items()
        }
        for argument, each in described.items():
            assert kept[argument]["description"].startswith(each["description"])
    assert set(seen["answers"]) == set(registry.tools)
    for name, text in seen["answers"].items():
        Draft202012Validator(registry.tools[name].output_schema).validate(json.loads(text))


def test_tools_with_arguments_have_strict_schemas(port):
    seen = read_everything("openai_agents", port, valid_calls(port))
    tools = registry.tools.items()
    assert seen["strict"] == [name for name, tool in tools if tool.arguments.listed()]
    for name in seen["strict"]:
        converted = seen["tools"][name]
        assert converted["required"] == list(converted["properties"])
        assert converted["additionalProperties"] is False


@pytest.mark.parametrize("client", ["google_genai", "mcp_use", "openai_agents"])
def test_examples_are_in_descriptions(client, port):
    names = {each["name"] for each in document(port, "/insights.json")["entities"]["technicians"]}
    seen = read_everything(client, port, valid_calls(port) if client == "openai_agents" else {})
    described = seen["tools"]["get_technician"]["properties"]["name"]["description"]
    assert any(described.endswith(f" For example: {name}.") for name in names)
