"""`manage.py mcp_registry`: the server.json by which a registry lists the server."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from jsonschema import Draft7Validator, FormatChecker

SCHEMA = json.loads(Path(__file__).with_name("server.schema.json").read_text())


@pytest.fixture
def server(settings):
    settings.MCP_SERVER = {**settings.MCP_SERVER}
    return settings.MCP_SERVER


def printed():
    output = io.StringIO()
    call_command("mcp_registry", stdout=output)
    entry = json.loads(output.getvalue())
    Draft7Validator(SCHEMA, format_checker=FormatChecker()).validate(entry)
    assert entry["$schema"] == SCHEMA["$id"]
    return entry


def test_entry_names_the_remote_server(server):
    assert printed() == {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "example.reviews/reviews",
        "title": "Reviews",
        "description": "The customer reviews of one business and what they say, read-only.",
        "version": server["version"],
        "websiteUrl": "https://reviews.example",
        "remotes": [{"type": "streamable-http", "url": "https://reviews.example/mcp"}],
    }


def test_long_description_is_shortened(server):
    server["description"] = "word " * 40
    assert len(printed()["description"]) <= 100
    server["description"] = ""
    assert printed()["description"] == "Reviews"


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000", "http://reviews.example", ""])
def test_address_that_no_registry_lists_is_refused(server, address):
    server["base_url"] = address
    with pytest.raises(CommandError, match=r"addresses with https alone"):
        call_command("mcp_registry")
