"""Resources, prompts, completions and lists (H, I)."""

import json

import pytest
from django.test import Client

from config import mcp
from reviews.models import Review
from tests.mcp_server.mcp_client import Session, send_stateless

BASE = "https://reviews.example"
DOCUMENTS = {
    "/reviews.json": "application/json",
    "/insights.json": "application/json",
    "/api/feed.json": "application/json",
    "/feed.xml": "application/atom+xml",
    "/.well-known/openapi.json": "application/json",
}


# --- Resources ------------------------------------------------------------------------------------


def documents_of(listed):
    """Return the listed resources without those of MCP Apps."""
    return [each for each in listed if not each["uri"].startswith("ui://")]


def test_every_published_document_is_a_resource(session):
    listed = documents_of(session.ask("resources/list").result["resources"])
    assert {each["uri"]: each["mimeType"] for each in listed} == {
        f"{BASE}{path}": media_type for path, media_type in DOCUMENTS.items()
    }
    assert all(each["title"] and each["description"] for each in listed)


@pytest.mark.parametrize("path", DOCUMENTS)
def test_resource_is_document_at_its_url(session, path):
    (found,) = session.ask("resources/read", {"uri": f"{BASE}{path}"}).result["contents"]  # H2
    document = Client().get(path)
    assert found == {
        "uri": f"{BASE}{path}",
        "mimeType": document.headers["Content-Type"],
        "text": b"".join(document).decode(),
    }


def test_review_is_a_resource_of_template(session):
    (template,) = session.ask("resources/templates/list").result["resourceTemplates"]  # H4
    assert template["uriTemplate"] == f"{BASE}/reviews/{{id}}"
    ulid = Review.objects.get(author="Lee").ulid
    uri = template["uriTemplate"].replace("{id}", ulid)
    (found,) = session.ask("resources/read", {"uri": uri}).result["contents"]
    assert json.loads(found["text"])["text"] == "Late again."


@pytest.mark.parametrize(
    "uri",
    [
        *("", "/reviews.json", "file:///etc/passwd", "https://evil.example/reviews.json", "\0"),
        *(f"{BASE}/", f"{BASE}/reviews.json/", f"{BASE}/reviews/../reviews.json", "x" * 10_000),
        *(f"{BASE}/reviews/01KDVG5B00QS8R2V6M3W0XPE4T", f"{BASE}/reviews/%00", "\ud800"),
    ],
)
def test_any_other_resource_is_not_found(session, uri):
    reply = session.ask("resources/read", {"uri": uri})  # H3
    assert (reply.status, reply.code) == (200, -32002)
    assert len(reply.error["message"]) < 300


@pytest.mark.parametrize("path", DOCUMENTS)
def test_large_resource_is_truncated_and_explained(session, monkeypatch, path):
    monkeypatch.setattr(mcp, "MAX_BYTES", 100)
    uri = f"{BASE}{path}"
    document = b"".join(Client().get(path))
    sentence, beginning = session.ask("resources/read", {"uri": uri}).result["contents"]
    # Neither JSON nor Atom: a client that parses by media type must not take a part for the whole.
    assert {each["mimeType"] for each in (sentence, beginning)} == {"text/plain"}
    assert {each["uri"] for each in (sentence, beginning)} == {uri}
    assert beginning["text"] == document[:100].decode()
    assert f"This document has {len(document)} bytes. Only the first 100 follow" in sentence["text"]
    assert sentence["text"].endswith(f", or fetch {uri}.")
    assert "the tools " in sentence["text"]


@pytest.mark.parametrize("ask", [lambda session: session.ask, lambda session: send_stateless])
def test_resource_has_its_size(session, ask):
    for each in documents_of(ask(session)("resources/list").result["resources"]):
        path = each["uri"].removeprefix(BASE)
        assert each["size"] == len(b"".join(Client().get(path))), path


# --- Prompts --------------------------------------------------------------------------------------


def test_prompts_list_their_arguments(session):
    prompts = session.ask("prompts/list").result["prompts"]
    assert {
        each["name"]: [a["name"] for a in each["arguments"] if a["required"]] for each in prompts
    } == {
        "summarize_reviews": [],
        "compare_periods": ["earlier_from", "earlier_to", "later_from", "later_to"],
    }
    for each in prompts:
        assert each["title"]
        assert each["description"]
        assert all(a["title"] and a["description"] for a in each["arguments"])


def prompt_text(session, name, arguments):
    result = session.ask("prompts/get", {"name": name, "arguments": arguments}).result
    (message,) = result["messages"]
    assert (message["role"], message["content"]["type"]) == ("user", "text")
    return message["content"]["text"]


def test_summary_prompt_covers_all_or_some_reviews(session):
    assert prompt_text(session, "summarize_reviews", {}).startswith(
        "Summarize the customer reviews. Begin with get_summary"
    )
    some = {
        "since": "2026-01-01",
        "until": "2026-03-31",
        "technician": "MAREN",
        "service": "leak-detection",
    }
    assert prompt_text(session, "summarize_reviews", some).startswith(
        "Summarize the customer reviews on or after 2026-01-01 on or before 2026-03-31, as far as "
        "they mention Maren Holt, as far as they are about Leak detection. Begin"
    )


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "name must be given, as a string."),
        ({"name": "x"}, 'There is no prompt "x"; there is: summarize_reviews, compare_periods.'),
        (
            {"name": "summarize_reviews", "arguments": {"since": "2025-02-30"}},
            "since must be a calendar day written as YYYY-MM-DD.",
        ),
        (
            {"name": "summarize_reviews", "arguments": {"sice": "2026-01-01"}},
            "sice is not an argument; use since, until, aspect, technician, service.",
        ),
        ({"name": "summarize_reviews", "arguments": []}, "arguments must be an object."),
    ],
)
def test_unusable_prompt_request_is_an_error(session, params, message):
    reply = session.ask("prompts/get", params)  # I2
    assert (reply.code, reply.error["message"]) == (-32602, message)


# --- Completions ----------------------------------------------------------------------------------


def completed(session, name, value, **ref):
    ref = ref or {"type": "ref/prompt", "name": "summarize_reviews"}
    params = {"ref": ref, "argument": {"name": name, "value": value}}
    return session.ask("completion/complete", params)


@pytest.mark.parametrize(
    ("name", "value", "values"),
    [
        ("technician", "", ["Maren Holt"]),
        ("technician", "mar", ["Maren Holt"]),
        ("technician", "x", []),
        ("service", "LEAK", ["leak-detection"]),
        ("aspect", "", []),
    ],
)
def test_names_are_completed(session, name, value, values):
    found = completed(session, name, value).result["completion"]
    assert found == {"values": values, "total": len(values), "hasMore": False}


SUMMARY = {"type": "ref/prompt", "name": "summarize_reviews"}


@pytest.mark.parametrize(
    "params",
    [
        *({}, {"ref": SUMMARY}, {"ref": [], "argument": []}),
        {"ref": {"type": "ref/tool", "name": "x"}, "argument": {"name": "x", "value": ""}},
        {"ref": {"type": "ref/resource", "uri": "x"}, "argument": {"name": "id", "value": ""}},
        {"ref": SUMMARY, "argument": {"name": "x", "value": ""}},
        {"ref": SUMMARY, "argument": {"name": "aspect", "value": 1}},
    ],
)
def test_unknown_completion_is_an_error(session, params):
    assert session.ask("completion/complete", params).code == -32602


# --- Lists ----------------------------------------------------------------------------------------


LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}


@pytest.mark.parametrize("method", LISTS)
@pytest.mark.parametrize("params", [None, {}, {"cursor": None}, {"cursor": ""}])
def test_list_is_one_page(session, method, params):
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    listed = session.send(message).result
    assert list(listed) == [LISTS[method]]  # I4
    assert listed[LISTS[method]]
    assert send_stateless(method, params).result[LISTS[method]]


@pytest.mark.parametrize("method", LISTS)
@pytest.mark.parametrize("cursor", ["x", 5, [], {}, False])
def test_unknown_cursor_is_refused(db, method, cursor):
    reply = Session().ask(method, {"cursor": cursor})  # G11
    assert (reply.status, reply.code) == (200, -32602)
