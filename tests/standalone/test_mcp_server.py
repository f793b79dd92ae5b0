"""A foreign project with two tools and a resource, used by the official Python client."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.standalone.conftest import SERVICE_SETTINGS, Environment

pytestmark = pytest.mark.standalone

MCP = '''
from typing import Annotated, Literal
from django.template.loader import render_to_string
from mcp_server import READ_ONLY, ToolError, prompt, resource, tool, ui_resource

BOOKS = {"1": "Emma", "2": "Dracula", "3": "Middlemarch"}

@tool(annotations=READ_ONLY, ui_resource="ui://library/books")
def find_books(words: Annotated[str, "Part of a title."], limit: int = 10) -> dict[str, object]:
    """Books whose titles contain these words."""
    found = [title for title in BOOKS.values() if words.lower() in title.lower()]
    return {"found": len(found), "titles": found[:limit]}

@tool()
def lend_book(id: str, days: Literal["7", "14"] = "7") -> str:
    """Lend a book."""
    if id not in BOOKS:
        raise ToolError("There is no such book; find_books lists them.")
    return f"{BOOKS[id]} is yours for {days} days."

@resource("/books/{id}", title="One book", media_type="text/plain")
def book(id: str) -> str | None:
    return BOOKS.get(id)

@resource("/books.json")
def books() -> str:
    return '["Emma"]'

@ui_resource("ui://library/books")
def book_list() -> str:
    return render_to_string("books.html")

@prompt()
def recommend(mood: str) -> str:
    """A book for a mood."""
    return f"Recommend a book to somebody who is {mood}."
'''
SETTINGS = """
SECRET_KEY = "k" * 50
DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1"]
INSTALLED_APPS = ["mcp_server", "library"]
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
ROOT_URLCONF = "library.urls"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
MCP_SERVER = {"name": "library", "title": "Library", "instructions": "Begin with find_books."}
"""
BOOK_LIST = """{% extends "mcp_server/ui_resource.html" %}
{% block title %}Books{% endblock %}
{% block script %}
app.view = ({ titles }) => titles.map((title) => app.element("p", {}, title));
{% endblock %}
"""
URLS = """
from django.urls import include, path
urlpatterns = [path("assistants/", include("mcp_server.urls"))]
"""
CLIENT = """
import asyncio, json, sys
from mcp import Client

async def main(address, mode):
    async with Client(address, mode=mode) as client:
        tools = (await client.list_tools()).tools
        found = await client.call_tool("find_books", {"words": "ma", "limit": "5"})
        lent = await client.call_tool("lend_book", {"id": "2", "days": "14"})
        refused = await client.call_tool("lend_book", {"id": "9"})
        wrong = await client.call_tool("find_books", {"limit": "many", "word": "x"})
        base = address.removesuffix("/assistants/mcp")
        read = await client.read_resource(f"{base}/books/3")
        shown = {each.name: each.meta["ui"]["resourceUri"] for each in tools if each.meta}
        view = (await client.read_resource(shown["find_books"])).contents[0]
        prompt = await client.get_prompt("recommend", {"mood": "sad"})
        return {
            "revision": client.protocol_version,
            "instructions": client.instructions,
            "tools": {tool.name: tool.input_schema for tool in tools},
            "found": found.structured_content,
            "lent": lent.content[0].text,
            "refused": [refused.is_error, refused.content[0].text],
            "wrong": wrong.content[0].text,
            "resources": [str(each.uri) for each in (await client.list_resources()).resources],
            "read": read.contents[0].text,
            "view": [view.mime_type, view.text.splitlines()[0], "<title>Books<" in view.text],
            "prompt": prompt.messages[0].content.text,
        }

print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
"""


@contextmanager
def served(project: Environment) -> Iterator[str]:
    """The address of the project's server."""
    with socket.socket() as claim:
        claim.bind(("127.0.0.1", 0))
        port = claim.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if name not in SERVICE_SETTINGS}
    command = ["-m", "django", "runserver", "--noreload", "--skip-checks", f"127.0.0.1:{port}"]
    process = subprocess.Popen(
        [project.python, *command],
        cwd=project.folder,
        env={**kept, "DJANGO_SETTINGS_MODULE": "library.settings", "PYTHONPATH": "."},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}/assistants/mcp"
    try:
        for _ in range(100):
            with closing(socket.socket()) as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture
def library(installed):
    project = installed("mcp_server", "mcp>=2.3")
    for name, content in (
        ("__init__", ""),
        ("settings", SETTINGS),
        ("urls", URLS),
        ("mcp", MCP),
    ):
        project.write(f"library/{name}.py", content)
    project.write("library/templates/books.html", BOOK_LIST)
    project.write("client.py", CLIENT)
    return project


def test_official_client_uses_tools_resources_and_prompts(library):
    with served(library) as address:
        seen = [json.loads(library.run("client.py", address, mode)) for mode in ("auto", "legacy")]

    assert [each.pop("revision") for each in seen] == ["2026-07-28", "2025-11-25"]
    assert seen[0] == seen[1]
    base = address.removesuffix("/assistants/mcp")
    assert seen[0] == {
        "instructions": "Begin with find_books.",
        "tools": {
            "find_books": {
                "type": "object",
                "properties": {
                    "words": {"type": "string", "description": "Part of a title."},
                    "limit": {"type": "integer", "default": 10},
                },
                "required": ["words"],
            },
            "lend_book": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "days": {"type": "string", "enum": ["7", "14"], "default": "7"},
                },
                "required": ["id"],
            },
        },
        "found": {"found": 2, "titles": ["Emma", "Middlemarch"]},
        "lent": "Dracula is yours for 14 days.",
        "refused": [True, "There is no such book; find_books lists them."],
        "wrong": "limit must be a whole number.\nword is not an argument; use words, limit.",
        "resources": [f"{base}/books.json", "ui://library/books"],
        "read": "Middlemarch",
        "view": ["text/html;profile=mcp-app", "<!DOCTYPE html>", True],
        "prompt": "Recommend a book to somebody who is sad.",
    }


def test_foreign_pages_and_wrong_methods_are_refused(library):
    def status(**headers: str) -> int:
        body = None if headers.pop("Method", "") else b"{}"
        fields = {"Content-Type": "application/json", **headers}
        try:
            with urlopen(Request(address, body, fields)) as response:
                return response.status
        except HTTPError as error:
            return error.code

    with served(library) as address:
        assert status(Method="GET") == 405
        assert status(Origin="https://evil.example") == 403
        assert status(Origin=address.removesuffix("/assistants/mcp")) == 400
        with urlopen(f"{address}/server-card") as response:
            card = json.load(response)
    assert card["remotes"][0]["url"] == address
    assert card["name"].endswith("/library")


def test_checks_tell_what_a_server_is_missing(library):
    settings = {"DJANGO_SETTINGS_MODULE": "library.settings", "PYTHONPATH": "."}

    found = library.run("-c", CHECKED, **settings)

    assert found.split() == ["mcp_server.W001"]
    assert library.run("-c", CHECKED, **settings, LIMITER="library.gone").split() == [
        "mcp_server.E001"
    ]


CHECKED = """
import django, os
from django.conf import settings
from django.core.checks import run_checks
if path := os.environ.get("LIMITER"):
    settings.MCP_RATE_LIMITER = path
django.setup()
print(*(each.id for each in run_checks()))
"""
