"""Words rewritten by the business appear only in their marked review."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.urls import get_resolver

from insights.refresh import refresh
from publishing.registry import registry
from reviews import services
from tests.factories import make_area, make_business, make_review, make_service, make_technician
from tests.mcp_server.mcp_client import Session

pytestmark = pytest.mark.django_db(transaction=True)

REWRITTEN = (
    "Zebulon Quarl was gloriously punctual for the snorkel fitting in Wexmoor. "
    "The quibblewick was spotless, and the price was fair. "
    "The quibblewick was broken again, a gloriously slow quibblewick."
)
UNIQUE = re.compile("quibblewick|gloriously", re.IGNORECASE)
PRIVATE = ("admin", "api/sources", "api/websub", "metrics")
WITH_PARAMETERS = (
    "/api/reviews/search?limit=100",
    "/api/reviews/search?query=spotless",
    "/api/reviews/since/2026-01-01",
    "/embed?max=12",
    "/embed?layout=grid&min-rating=5",
    "/embed.html?max=12",
    "/embed/widget.json?max=12",
    "/oembed?url=https://reviews.example/reviews",
)
# Members that hold a whole review with its mark.
OWN = re.compile(
    r"/reviews\.(json|csv)|/api/feed\.json|/feed\.xml|/api/reviews/.*|/(index\.md)?"
    r"|/reviews(\.md|\?.*)?|/reviews/[0-9A-Z]{26}(\.md)?|mcp (search_reviews|get_review)"
    r"|/insights/complaints/unrecognised"
    r"|mcp https://reviews\.example/(reviews\.json|api/feed\.json|feed\.xml)"
)
MARK = re.compile("edited.by.(the.)?business", re.IGNORECASE)
WHOLE_REVIEWS = (
    re.compile("<article .*?</article>", re.DOTALL),
    re.compile("<entry>.*?</entry>", re.DOTALL),
    re.compile(r"^##+ \d stars? from .*?(?=^##+ |\Z)", re.DOTALL | re.MULTILINE),
)


@pytest.fixture
def published():
    """Publish unchanged reviews and six that the business rewrote."""
    make_business()
    make_technician("Zebulon Quarl")
    make_service("Snorkel fitting")
    make_area("Wexmoor")
    for number in range(12):
        make_review(
            text="They were on time. The price was too high.",
            author=f"Author {number}",
            rating=3,
            date=f"2026-02-{number + 1:02}",
        )
    rewritten = [make_review(text="Slow.", author=f"Ann {number}", rating=1) for number in range(6)]
    for review in rewritten:
        services.edit_review(review, {"text": REWRITTEN, "rating": 5})
    refresh()
    return rewritten


def pages(client) -> Iterator[tuple[str, str]]:
    """Return every public URL with its content, followed from pages without parameters."""
    queue = [spec.path for spec in registry]
    queue += [f"/{route}" for route in _routes(get_resolver().url_patterns)]
    queue += WITH_PARAMETERS
    seen = set()
    for address in queue:
        if address in seen:
            continue
        seen.add(address)
        response = client.get(address)
        content = b"".join(response).decode(errors="replace")
        yield address, content
        if response["Content-Type"].startswith("text/html"):
            queue += _links(content)


def _routes(patterns: Any, prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = f"{prefix}{pattern.pattern}"
        if route.startswith(PRIVATE) or "<" in route:
            continue
        if hasattr(pattern, "url_patterns"):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route


def _links(html: str) -> Iterator[str]:
    for href in re.findall('href="([^"#]+)', html):
        url = urlsplit(href.replace("&amp;", "&"))
        is_ours = url.netloc in {"", urlsplit(settings.BASE_URL).netloc}
        if is_ours and re.match(
            r"/(?!admin|(?:de|es|fr)(?:/|$))", url.path
        ):  # Visit each page once.
            yield f"{url.path}?{url.query}" if url.query else url.path


def mcp_results(ulid: str) -> Iterator[tuple[str, str]]:
    """Return the results of all MCP tools, resources and prompts by name."""
    session = Session()
    arguments: dict[str, list[dict[str, str]]] = {
        "get_review": [{"id": ulid}],
        "get_technician": [{"name": "Zebulon Quarl"}],
        "get_service": [{"service": "Snorkel fitting"}],
        "get_aspect_sentiment": [{"aspect": aspect} for aspect in _aspects(session)],
    }
    for tool in session.ask("tools/list").result["tools"]:
        for given in arguments.get(tool["name"], [{}]):
            yield f"mcp {tool['name']}", json.dumps(session.call(tool["name"], given))
    for resource in session.ask("resources/list").result["resources"]:
        read = session.ask("resources/read", {"uri": resource["uri"]}).result
        yield f"mcp {resource['uri']}", read["contents"][0]["text"]
    for prompt in session.ask("prompts/list").result["prompts"]:
        yield f"mcp {prompt['name']}", json.dumps(prompt)


def _aspects(session: Session) -> list[str]:
    request = {"ref": {"type": "ref/prompt", "name": "summarize_reviews"}}
    argument = {"argument": {"name": "aspect", "value": ""}}
    values: list[str] = session.ask("completion/complete", request | argument).result["completion"][
        "values"
    ]
    return values


def without_marked_reviews(content: str) -> str:
    """Return the content without whole reviews that have the mark."""
    if content.startswith("{"):
        return json.dumps(_unmarked(json.loads(content)), ensure_ascii=False)
    if content.startswith("\ufeff"):  # The CSV table, which begins with a byte order mark.
        rows = csv.DictReader(io.StringIO(content.removeprefix("\ufeff")))
        return json.dumps([row for row in rows if row["edited_by_business"] != "true"])
    for whole in WHOLE_REVIEWS:
        content = whole.sub(lambda found: "" if MARK.search(found[0]) else found[0], content)
    return content


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        is_marked = {**value, **value.get("_review", {})}.get("edited_by_business")
        return None if is_marked else {name: _unmarked(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_unmarked(each) for each in value]
    if isinstance(value, str) and value.startswith("{"):
        return _unmarked(json.loads(value))  # The text form of a tool's structured content.
    return value


def urls_with_rewritten_words(client, ulid: str) -> set[str]:
    """Return URLs that contain the unique words outside of a marked review."""
    found = set()
    for address, content in (*pages(client), *mcp_results(ulid)):
        shown = without_marked_reviews(content) if OWN.fullmatch(address) else content
        if UNIQUE.search(shown):
            found.add(address)
    return found


@pytest.mark.slow
def test_rewritten_words_appear_in_their_review_alone(client, published):
    ulid = published[0].ulid

    assert urls_with_rewritten_words(client, ulid) == set()
    for address in ("/reviews.json", "/api/feed.json", "/feed.xml", f"/reviews/{ulid}"):
        assert UNIQUE.search(client.get(address).content.decode())


def test_edited_review_counts_with_stars_of_source(client, published):
    ulid = published[0].ulid

    insights = client.get("/insights.json").json()
    rating = client.get("/reviews.json").json()["aggregate_rating"]

    assert insights["per_review"][ulid] == {
        "sentiment": {"score": -1.0, "label": "negative"},
        **{name: [] for name in ("aspects", "technicians", "services")},
        **{name: [] for name in ("problems", "service_areas", "topics")},
        "complaints": ["wordless"],
    }
    assert insights["entities"]["technicians"] == insights["entities"]["services"] == []
    assert rating["distribution"] == {"1": 6, "2": 0, "3": 12, "4": 0, "5": 0}
    assert client.get("/embed.json").json()["aggregate_rating"] == rating


def test_redacted_review_stays_verified(client, db):
    make_business()
    for number in range(6):
        review = make_review(text="Bob fixed the leak on time.", author=f"Author {number}")
        services.edit_review(review, {"text": "[...] fixed the leak on time."})
    refresh()

    aspects = client.get("/insights.json").json()["aspects"]
    assert [aspect["id"] for aspect in aspects if aspect["mention_count"] == 6]
