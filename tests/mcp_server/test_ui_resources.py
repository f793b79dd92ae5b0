"""UI resources (MCP Apps 2026-01-26): how they are listed, read and shown by a host."""

import json
import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.core.checks import run_checks

from mcp_server import tool, ui_resource
from mcp_server.registry import registry
from tests.accessibility import axe_violations
from tests.browser import browser
from tests.mcp_server.mcp_client import send_stateless

SHOWN = {
    "search_reviews": "ui://reviews/cards",
    "get_review": "ui://reviews/cards",
    "get_aspect_sentiment": "ui://insights/aspects",
    "get_technician": "ui://insights/aspects",
    "get_service": "ui://insights/aspects",
    "get_topics": "ui://insights/aspects",
}
UI = "io.modelcontextprotocol/ui"
HTML = "text/html;profile=mcp-app"
NOWHERE = {"connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []}


# --- Server ---------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_tools_name_their_ui_resource(published):
    listed = send_stateless("tools/list").result["tools"]
    named = {each["name"]: each["_meta"]["ui"]["resourceUri"] for each in listed if "_meta" in each}
    assert named == SHOWN


@pytest.mark.django_db
@pytest.mark.parametrize("uri", sorted(set(SHOWN.values())))
def test_ui_resource_is_a_self_contained_document(uri, published):
    (content,) = send_stateless("resources/read", {"uri": uri}).result["contents"]

    assert content["uri"] == uri
    assert content["mimeType"] == HTML
    assert content["_meta"] == {"ui": {"csp": NOWHERE, "prefersBorder": True}}
    assert content["text"].startswith("<!DOCTYPE html>\n<html")
    addresses = set(re.findall(r"https?://[^\"'/ ]+", content["text"]))
    assert addresses <= {"https://reviews.example"}
    assert not re.search(r"\b(src|@import|url\()\s*=?", content["text"])
    assert "innerHTML" not in content["text"]
    (listed,) = (
        each for each in send_stateless("resources/list").result["resources"] if each["uri"] == uri
    )
    assert listed["_meta"] == content["_meta"]
    assert listed["size"] == len(content["text"].encode()) < 20_000


@pytest.mark.django_db
def test_undeclared_resource_of_tool_is_an_error(monkeypatch):
    for kind in ("tools", "resources"):
        monkeypatch.setattr(registry, kind, {})

    @tool(ui_resource="ui://notes/list")
    def notes() -> str:
        """Notes."""
        return ""

    assert "mcp_server.E004" in {each.id for each in run_checks()}

    @ui_resource("ui://notes/list", csp={"connectDomains": ["https://api.example.com"]})
    def note_list() -> str:
        """Notes as a list."""
        return "<!DOCTYPE html>"

    assert "mcp_server.E004" not in {each.id for each in run_checks()}
    (listed,) = send_stateless("resources/list").result["resources"]
    assert listed["_meta"]["ui"]["csp"] == {
        **NOWHERE,
        "connectDomains": ["https://api.example.com"],
    }


# --- Host -----------------------------------------------------------------------------------------


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A browser with the page of a host on another origin."""
    handler = partial(_Quiet, directory=str(Path(__file__).parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        with browser(tmp_path_factory.mktemp("profile")) as page:
            page.open(f"http://localhost:{host.server_port}/host.html", 760)
            yield page
        host.shutdown()


class Host:
    def __init__(self, page, server):
        self.page, self.server = page, server

    def show(self, name, options="{}", **arguments):
        """Show the answer of a tool, and wait until the view has reported its size."""
        words = json.dumps([self.server, name, arguments])[1:-1]
        self.page.ask(f"show({words}, {options})")
        reported = "heard.some((each) => each.method === 'ui/notifications/size-changed')"
        shown = "!view().querySelector('main').textContent.startsWith('Waiting')"
        self.wait(f"{reported} && {shown} && frame.clientHeight > 20")

    def wait(self, condition):
        again = f"{condition} ? done() : setTimeout(wait, 20, done)"
        self.page.ask(f"new Promise(function wait(done) {{ {again} }})")

    def text(self):
        return self.page.ask("view().querySelector('main').innerText")

    def count(self, selector):
        return self.page.ask(f"view().querySelectorAll({json.dumps(selector)}).length")

    def heard(self, method):
        return self.page.ask(f"heard.filter((each) => each.method === '{method}')")


@pytest.fixture
def host(page, ports):
    shown = Host(page, f"http://127.0.0.1:{ports[0]}/mcp")
    yield shown
    assert page.ask("violations") == []


@pytest.mark.slow
def test_view_initializes_by_specification(host):
    host.show("get_topics")
    first, second = host.page.ask("heard.slice(0, 2)")
    assert first == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "ui/initialize",
        "params": {
            "protocolVersion": "2026-01-26",
            "appInfo": {"name": "Opinions", "version": "1.0.0"},
            "appCapabilities": {"availableDisplayModes": ["inline"]},
        },
    }
    assert second == {"jsonrpc": "2.0", "method": "ui/notifications/initialized", "params": {}}


@pytest.mark.slow
def test_cards_show_the_reviews_of_a_search(host):
    host.show("search_reviews", limit=7, min_rating=4)
    assert re.match(r"\d+ reviews match; 7 of them", host.text())
    assert host.count(".card") == 7
    label = host.page.ask("view().querySelector('.stars').getAttribute('aria-label')")
    assert re.fullmatch(r"[45] out of 5 stars", label)


@pytest.mark.slow
def test_view_shows_opinions_and_their_evidence(host):
    host.show("get_aspect_sentiment", aspect="punctuality")
    assert host.text().startswith("Punctuality\n")
    assert re.search(r"\d+ negative · \d+ neutral · \d+ positive", host.text())
    assert host.count(".card") > 0


@pytest.mark.slow
def test_theme_and_colours_of_host_are_used(host):
    dark = '{context: {theme: "dark", styles: {variables: {"--color-text-primary": "#123456"}}}}'
    host.show("get_topics", dark)
    style = "frame.contentWindow.getComputedStyle(view().body)"
    assert host.page.ask(f"{style}.color") == "rgb(18, 52, 86)"
    background = "frame.contentWindow.getComputedStyle(view().documentElement).backgroundColor"
    assert host.page.ask(background) == "rgb(28, 28, 26)"
    host.page.ask(
        'post({method: "ui/notifications/host-context-changed", params: {theme: "light"}})'
    )
    host.wait(f"{background} === 'rgb(255, 255, 255)'")


HOSTILE = (
    "<img src=x onerror=parent.violations.push(1)></p><script>parent.violations.push(2)</script>"
)


@pytest.mark.slow
def test_review_text_is_shown_as_text(host):
    change = f"(result) => {{ result.structuredContent.reviews[0].text = {json.dumps(HOSTILE)};"
    change += " result.structuredContent.reviews[0].id = 'javascript:1'; return result; }"
    host.show("search_reviews", f"{{change: {change}}}", limit=1)
    assert HOSTILE in host.text()
    assert host.count("img") == 0
    assert host.count("main script") == 0


@pytest.mark.slow
def test_host_opens_links(host):
    host.show("search_reviews", limit=1)
    href = host.page.ask("view().querySelector('a').href")
    host.page.ask("view().querySelector('a').click()")
    host.wait("heard.some((each) => each.method === 'ui/open-link')")
    (request,) = host.heard("ui/open-link")
    assert request["params"] == {"url": href}
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/reviews/[0-9A-Z]{26}", href)


@pytest.mark.slow
def test_requests_of_the_host_are_answered(host):
    host.show("get_topics")
    for number, method in enumerate(("ping", "ui/resource-teardown", "tools/list"), start=90):
        host.page.ask(f"post({{id: {number}, method: '{method}'}})")
    host.wait("heard.some((each) => each.id === 92)")
    answers = host.page.ask("heard.filter((each) => each.id >= 90)")
    assert [("result" in each, "error" in each) for each in answers] == [
        (True, False),
        (True, False),
        (False, True),
    ]
    assert answers[2]["error"]["code"] == -32601


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_reviews", {"limit": 5}),
        ("get_aspect_sentiment", {"aspect": "punctuality"}),
        ("get_topics", {}),
    ],
)
def test_view_is_accessible(host, name, arguments, theme):
    host.show(name, json.dumps({"context": {"theme": theme}}), **arguments)
    assert axe_violations(host.page, in_frame=True) == []
