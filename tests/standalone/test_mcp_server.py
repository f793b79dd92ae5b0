"""A foreign project on four web servers, used by the official Python client and FastMCP's."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.processes import reserved_port
from tests.standalone.conftest import Environment
from tools.wheels import ROOT

pytestmark = pytest.mark.standalone

MCP = '''
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Annotated, Literal, TypedDict
from uuid import UUID

from django.http import HttpRequest
from django.template.loader import render_to_string
from mcp_server import READ_ONLY, Context, ToolError, prompt, resource, tool, ui_resource

class Genre(Enum):
    NOVEL = "novel"
    POEM = "poem"

@dataclass
class Price:
    least: Decimal = Decimal(0)
    most: Decimal | None = None

class Book(TypedDict):
    id: UUID
    title: str
    price: Decimal

BOOKS = [
    Book(id=UUID(int=1), title="Emma", price=Decimal("12.50")),
    Book(id=UUID(int=2), title="Dracula", price=Decimal(9)),
    Book(id=UUID(int=3), title="Middlemarch", price=Decimal(30)),
]

@tool(annotations=READ_ONLY, ui_resource="ui://library/books")
def find_books(
    words: Annotated[str, "Part of a title."],
    price: Price | None = None,
    genres: list[Genre] = [],
    limit: int = 10,
) -> list[Book]:
    """Books whose titles contain these words."""
    assert all(isinstance(genre, Genre) for genre in genres)
    most = price.most if price and price.most is not None else Decimal(1000)
    found = [book for book in BOOKS if words.lower() in book["title"].lower()]
    return [book for book in found if book["price"] <= most][:limit]

@tool
async def lend_book(id: UUID, context: Context, days: Literal[7, 14] = 7) -> str:
    """Lend a book."""
    for part in (1, 2):
        context.progress(part, 2)
    found = [book["title"] for book in BOOKS if book["id"] == id]
    if not found:
        raise ToolError("There is no such book; find_books lists them.")
    return f"{found[0]} is yours for {days} days."

def is_librarian(request: HttpRequest) -> bool:
    return request.headers.get("Authorization") == "Bearer librarian"

@tool(permission=is_librarian)
def buy_book(title: str) -> None:
    """Buy a book."""

@resource("/books/{id}", title="One book", media_type="text/plain")
def book(id: str) -> str | None:
    return next((book["title"] for book in BOOKS if str(book["id"].int) == id), None)

@resource("/books.json")
def books() -> str:
    return '["Emma"]'

@ui_resource("ui://library/books")
def book_list() -> str:
    return render_to_string("books.html")

@prompt
def recommend(mood: str) -> str:
    """A book for a mood."""
    return f"Recommend a book to somebody who is {mood}."
'''
SETTINGS = """
SECRET_KEY = "k" * 50
DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1", "testserver"]
INSTALLED_APPS = ["mcp_server", "library"]
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
ROOT_URLCONF = "library.urls"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
MCP_SERVER = {"name": "library", "title": "Library", "instructions": "Begin with find_books."}
"""
BOOK_LIST = """{% extends "mcp_server/ui_resource.html" %}
{% block title %}Books{% endblock %}
{% block script %}
app.view = ({ result }) => result.map(({ title }) => app.element("p", {}, title));
{% endblock %}
"""
FILES = {
    "library/__init__.py": "",
    "library/settings.py": SETTINGS,
    "library/urls.py": """
from django.urls import include, path
urlpatterns = [path("assistants/", include("mcp_server.urls"))]
""",
    "library/wsgi.py": """
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
""",
    "library/asgi.py": """
from django.core.asgi import get_asgi_application
application = get_asgi_application()
""",
    "library/mcp.py": MCP,
    "library/templates/books.html": BOOK_LIST,
    "library/test_mcp.py": """
from django.test import SimpleTestCase
from mcp_server.testing import Client, ToolResult

class LibraryTest(SimpleTestCase):
    def test_tool_resource_and_prompt(self) -> None:
        client = Client()
        found: ToolResult = client.call_tool("find_books", {"words": "emma"})
        self.assertEqual(found.structured["result"][0]["price"], "12.50")
        self.assertEqual(client.read_resource("/books/3"), "Middlemarch")
        self.assertIn("sad", client.get_prompt("recommend", {"mood": "sad"}))
        lent = client.call_tool("lend_book", {"id": found.structured["result"][0]["id"]})
        self.assertEqual([each["params"]["progress"] for each in lent.notifications], [1, 2])
        self.assertEqual(client.call_tool("buy_book", {"title": "x"}).is_error, True)
        librarian = Client(headers={"Authorization": "Bearer librarian"})
        self.assertEqual(librarian.call_tool("buy_book", {"title": "x"}).is_error, False)
""",
    "official.py": """
import asyncio, json, sys
from mcp import Client

async def main(address: str, mode: str) -> dict[str, object]:
    progress: list[float] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    async with Client(address, mode=mode) as client:
        tools = (await client.list_tools()).tools
        wanted = {"words": "ma", "limit": "5", "genres": ["novel"], "price": {"most": 20}}
        found = await client.call_tool("find_books", wanted)
        book = found.structured_content["result"][0]["id"]
        lent = await client.call_tool("lend_book", {"id": book, "days": "14"}, None, note)
        refused = await client.call_tool("lend_book", {"id": str(book)[:-1] + "9"})
        wrong = await client.call_tool("find_books", {"limit": "many", "price": {"mots": 1}})
        forbidden = await client.call_tool("buy_book", {"title": "Emma"})
        base = address.removesuffix("/assistants/mcp")
        read = await client.read_resource(f"{base}/books/3")
        shown = {each.name: each.meta["ui"]["resourceUri"] for each in tools if each.meta}
        view = (await client.read_resource(shown["find_books"])).contents[0]
        prompt = await client.get_prompt("recommend", {"mood": "sad"})
        return {
            "revision": client.protocol_version,
            "instructions": client.instructions,
            "tools": {tool.name: [tool.input_schema, tool.output_schema] for tool in tools},
            "found": found.structured_content,
            "lent": [lent.content[0].text, progress],
            "refused": [refused.is_error, refused.content[0].text],
            "wrong": wrong.content[0].text,
            "forbidden": [forbidden.is_error, forbidden.content[0].text],
            "resources": [str(each.uri) for each in (await client.list_resources()).resources],
            "read": read.contents[0].text,
            "view": [view.mime_type, view.text.splitlines()[0], "<title>Books<" in view.text],
            "prompt": prompt.messages[0].content.text,
        }

print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
""",
    "fast.py": """
import asyncio, json, sys
from fastmcp import Client

async def main(address: str) -> dict[str, object]:
    progress: list[float] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    async with Client(address) as client:
        found = await client.call_tool("find_books", {"words": "ma", "genres": ["novel"]})
        book = found.structured_content["result"][1]["id"]
        lent = await client.call_tool("lend_book", {"id": book}, progress_handler=note)
        base = address.removesuffix("/assistants/mcp")
        read = await client.read_resource(f"{base}/books/3")
        prompt = await client.get_prompt("recommend", {"mood": "sad"})
        return {
            "tools": sorted(each.name for each in await client.list_tools()),
            "found": [str(each.title) for each in found.data.result],
            "lent": [lent.content[0].text, progress],
            "read": read[0].text,
            "prompt": prompt.messages[0].content.text,
        }

print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
""",
}
PACKAGES = ("mcp>=2.3", "fastmcp>=4", "granian", "gunicorn", "uvicorn", "django-stubs~=5.2")
SETTINGS_OF_LIBRARY = {"DJANGO_SETTINGS_MODULE": "library.settings", "PYTHONPATH": "."}
WSGI, ASGI = "library.wsgi:application", "library.asgi:application"
SERVERS = {
    "runserver": ["django", "runserver", "--noreload", "--skip-checks", "127.0.0.1:{port}"],
    "gunicorn": ["gunicorn", "--threads=2", "--bind=127.0.0.1:{port}", WSGI],
    "gunicorn-asgi": ["gunicorn", "-k", "asgi", "--bind=127.0.0.1:{port}", ASGI],
    "uvicorn": ["uvicorn", "--lifespan=off", "--port={port}", ASGI],
    "granian-wsgi": ["granian", "--interface=wsgi", "--port={port}", "--blocking-threads=2", WSGI],
    "granian-asgi": ["granian", "--interface=asginl", "--port={port}", ASGI],
}


@contextmanager
def served(project: Environment, server: str = "runserver") -> Iterator[str]:
    """Return the URL of the project's server."""
    with reserved_port() as port:
        pass
    command = [part.format(port=port) for part in SERVERS[server]]
    with project.started("-m", *command, port=port, **SETTINGS_OF_LIBRARY):
        yield f"http://127.0.0.1:{port}/assistants/mcp"


@pytest.fixture
def library(installed):
    project = installed("mcp_server", *PACKAGES)
    for name, content in FILES.items():
        project.write(name, content)
    return project


@pytest.mark.parametrize("server", SERVERS)
def test_clients_use_tools_resources_and_prompts(library, server):
    with served(library, server) as address:
        seen = [
            json.loads(library.run("official.py", address, mode)) for mode in ("auto", "legacy")
        ]
        fast = json.loads(library.run("fast.py", address))

    assert [each.pop("revision") for each in seen] == ["2026-07-28", "2025-11-25"]
    assert seen[0] == seen[1]
    base = address.removesuffix("/assistants/mcp")
    decimal = {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}
    book = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "title": {"type": "string"},
            "price": decimal,
        },
        "required": ["id", "title", "price"],
    }
    find_books, found_books = seen[0]["tools"]["find_books"]
    assert list(seen[0].pop("tools")) == ["find_books", "lend_book", "buy_book"]
    assert find_books["properties"]["genres"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["novel", "poem"]},
    }
    assert find_books["properties"]["price"]["properties"]["most"]["anyOf"][0] == decimal
    assert find_books["required"] == ["words"]
    assert found_books["properties"] == {"result": {"type": "array", "items": book}}
    emma = {"id": "00000000-0000-0000-0000-000000000001", "title": "Emma", "price": "12.50"}
    assert seen[0] == {
        "instructions": "Begin with find_books.",
        "found": {"result": [emma]},
        "lent": ["Emma is yours for 14 days.", [1, 2]],
        "refused": [True, "There is no such book; find_books lists them."],
        "wrong": (
            "limit must be a whole number.\nprice.mots is not a member; use least, most.\n"
            "words must be given."
        ),
        "forbidden": [True, "You may not use buy_book."],
        "resources": [f"{base}/books.json", "ui://library/books"],
        "read": "Middlemarch",
        "view": ["text/html;profile=mcp-app", "<!DOCTYPE html>", True],
        "prompt": "Recommend a book to somebody who is sad.",
    }
    assert fast == {
        "tools": ["buy_book", "find_books", "lend_book"],
        "found": ["Emma", "Middlemarch"],
        "lent": ["Middlemarch is yours for 7 days.", [1, 2]],
        "read": "Middlemarch",
        "prompt": "Recommend a book to somebody who is sad.",
    }


def test_project_passes_strict_types_and_tests(library):
    assert "no issues found" in library.mypy("library/mcp.py", "library/test_mcp.py")
    library.run("-m", "django", "test", "library", **SETTINGS_OF_LIBRARY)


def test_examples_of_readme_run(library):
    readme = (ROOT / "mcp_server/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    tools = next(each for each in blocks if each.startswith("# mcp.py"))
    test = next(each for each in blocks if each.startswith("from mcp_server.testing"))
    library.write("notes/__init__.py", "")
    library.write("notes/models.py", NOTES)
    library.write("notes/mcp.py", tools)
    library.write("use.py", USE + test + USED)

    assert library.run("use.py") == "The note is deleted.\nTrue\n"


NOTES = """
from django.db import models

class Note(models.Model):
    text = models.TextField()
"""
USE = """
import django
from django.conf import settings
settings.configure(
    SECRET_KEY="k" * 50, INSTALLED_APPS=["mcp_server", "notes"], ROOT_URLCONF="library.urls",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "notes.sqlite3"}},
    ALLOWED_HOSTS=["testserver"],
)
django.setup()
from django.core.management import call_command
from notes.models import Note
call_command("migrate", run_syncdb=True, verbosity=0)
"""
USED = """
test_search_finds_a_note(None)
client, note = Client(), Note.objects.get()
assert client.read_resource(f"/notes/{note.pk}") == note.text
print(client.call_tool("delete_note", {"id": note.pk}).text)
print(client.call_tool("delete_note", {"id": note.pk}).is_error)
"""
