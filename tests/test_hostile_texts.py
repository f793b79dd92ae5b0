"""Hostile review texts on every public surface: complete, and never markup or code."""

import json
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from insights.refresh import refresh
from reviews.models import Review
from tests.factories import make_business, make_review
from tests.hostile_texts import HOSTILE
from tests.website.pages import read

pytestmark = pytest.mark.django_db(transaction=True)

parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
ATOM = "{http://www.w3.org/2005/Atom}"
PAGES = ("/", "/reviews", "/insights", "/insights/aspects/workmanship", "/embed?max=12")


@pytest.fixture(autouse=True)
def hostile_reviews():
    make_business()
    for text in HOSTILE:
        make_review(text=f"{text} They did a great job.", author=text[:100], reply_text=text)
    refresh()


def stored():
    """Return the texts as stored, without characters that documents cannot hold."""
    return sorted(Review.objects.values_list("text", flat=True))


@pytest.mark.parametrize("address", PAGES)
def test_hostile_texts_are_not_markup_on_pages(client, address):
    document = read(client, address)

    assert not document.all("img")
    assert not document.all("b")
    scripts = [attrs.get("src") or attrs["type"] for attrs in document.all("script")]
    assert all("/embed.js" in name or name == "application/ld+json" for name in scripts)


def test_hostile_texts_are_complete_on_their_pages(client):
    for review in Review.objects.all():
        assert " ".join(review.text.split()) in " ".join(
            read(client, f"/reviews/{review.ulid}").text.split()
        )


def test_hostile_texts_are_not_markup_in_llms_txt(client):
    tokens = parser.parse(client.get("/llms.txt").content.decode())
    inline = [child for token in tokens for child in token.children or ()]
    links = [child.attrs["href"] for child in inline if child.type == "link_open"]

    assert not {"html_block", "html_inline", "image", "code_block"} & {
        token.type for token in [*tokens, *inline]
    }
    assert all(link.startswith("https://reviews.example") for link in links)
    assert "Heading" not in [token.content for token in tokens]


def test_hostile_texts_are_verbatim_in_json(client):
    dataset = json.loads(client.get("/reviews.json").content)
    feed = json.loads(client.get("/api/feed.json").content)
    found = json.loads(client.get("/api/reviews/search?limit=100").content)

    assert sorted(review["text"] for review in dataset["reviews"]) == stored()
    assert sorted(item["content_text"] for item in feed["items"]) == stored()
    assert sorted(review["text"] for review in found["reviews"]) == stored()


def test_atom_feed_with_hostile_texts_is_well_formed(client):
    feed = ET.fromstring(client.get("/feed.xml").content)

    assert len(feed.findall(f"{ATOM}entry")) == len(HOSTILE)


def test_hostile_texts_are_values_in_tool_results(client):
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "search_reviews",
            "arguments": {"limit": 100},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }
    fields = {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "search_reviews",
    }

    answer = client.post("/mcp", message, content_type="application/json", headers=fields).json()

    shown = answer["result"]["structuredContent"]["reviews"]
    assert sorted(review["text"] for review in shown) == stored()
    [content] = answer["result"]["content"]
    assert json.loads(content["text"]) == answer["result"]["structuredContent"]
