"""The page about connecting assistants: every line on it can be copied."""

import json
import shlex

import pytest

from tests.factories import make_business, make_review
from tests.website.pages import Document
from website.interfaces import assistants, tool_call

pytestmark = pytest.mark.django_db

BASE = "https://reviews.example"
ADDRESS = f"{BASE}/mcp"
LINES = {each["anchor"]: each["line"] for each in assistants(BASE)}


@pytest.fixture
def page(client):
    return Document(client.get("/developers/mcp").content.decode())


def test_lines_to_copy_are_on_page(page):
    for line in (*LINES.values(), tool_call(BASE)):
        assert line in page.text


@pytest.mark.parametrize(
    ("anchor", "configuration"),
    [
        ("cursor", {"mcpServers": {"reviews": {"url": ADDRESS}}}),
        ("vs-code", {"servers": {"reviews": {"type": "http", "url": ADDRESS}}}),
        ("project", {"mcpServers": {"reviews": {"type": "http", "url": ADDRESS}}}),
    ],
)
def test_content_of_configuration_files_is_on_page(anchor, configuration):
    assert json.loads(LINES[anchor]) == configuration


def test_curl_command_calls_a_tool(client):
    make_business()
    make_review(rating=5, author="Dana R.")
    curl, address, *rest = shlex.split(tool_call(BASE))
    options = list(zip(rest[::2], rest[1::2], strict=True))
    headers = dict(value.split(": ") for option, value in options if option == "-H")
    (body,) = (value for option, value in options if option == "-d")
    media_type = headers.pop("Content-Type")

    answer = client.post("/mcp", body, content_type=media_type, headers=headers)

    assert (curl, address) == ("curl", ADDRESS)
    (review,) = answer.json()["result"]["structuredContent"]["reviews"]
    assert review["author"] == "Dana R."
