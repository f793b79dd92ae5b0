"""`POST /mcp` before Django is entered: the very answers of the view, in fewer steps."""

import json

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import Client

from mcp_server import transport
from mcp_server.front import McpFront
from tests import wsgi
from tests.mcp_server.talking import META, Session, initialize_params, mirrored, request
from tests.wsgi import ask

pytestmark = pytest.mark.django_db

TOPICS = request("tools/call", {"name": "get_topics", "_meta": META})
TOOLS = request("tools/list", {"_meta": META})
NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture
def begun():
    return []


@pytest.fixture
def front(begun):
    def django(environ, start_response):
        begun.append("django")
        return get_wsgi_application()(environ, start_response)

    return McpFront(django, begin=begun.append)


def environment(body, method="POST", path="/mcp", **fields):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = {"content_type": "application/json"} | fields
    return wsgi.environment(method=method, path=path, body=raw, **fields)


def modern(body):
    return {f"http_{name}": value for name, value in mirrored(body).items()}


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (TOPICS, modern(TOPICS)),
        (TOPICS, {}),
        (request("ping"), {"http_mcp_session_id": "SESSION"}),
        (NOTE, {"http_mcp_session_id": "SESSION"}),
        (request("ping"), {"http_mcp_session_id": "x"}),
        (request("ping"), {}),
        (b"{", {}),
        (b"x" * (transport.MAX_BODY_BYTES + 1), {}),
        (request("ping"), {"content_type": "text/plain"}),
        (request("ping"), {"http_accept": "text/html"}),
        (TOPICS, modern(TOPICS) | {"http_accept": "text/event-stream"}),
        (TOOLS, modern(TOOLS) | {"http_accept_encoding": "gzip"}),
        (TOOLS, modern(TOOLS) | {"http_accept_encoding": "br", "http_accept": "text/*"}),
        (request("ping"), {"http_origin": "https://app.example"}),
        (TOPICS, modern(TOPICS) | {"path": "/mcp/"}),
        (TOPICS, modern(TOPICS) | {"method": "GET"}),
        (TOPICS, modern(TOPICS) | {"method": "OPTIONS"}),
        (b"", {"method": "DELETE"}),
        (TOPICS, {"http_host": "evil.example"}),
        (TOPICS, {"path": "/mcp/server-card"}),
    ],
)
def test_the_front_answers_as_the_view_does(front, published, body, fields):
    fields = {name: Session().id if value == "SESSION" else value for name, value in fields.items()}
    through_django = ask(get_wsgi_application(), environment(body, **fields))
    assert ask(front, environment(body, **fields)) == through_django


def test_a_session_is_opened_before_django_is_entered(front, begun):
    body = request("initialize", initialize_params())
    status, headers, _ = ask(front, environment(body))
    assert status == "200 OK"
    reply = ask(front, environment(request("ping"), http_mcp_session_id=headers["mcp-session-id"]))
    assert json.loads(reply[2])["result"] == {}
    assert begun == ["mine", "mine"]


def test_every_request_has_an_id(front, begun):
    environ = environment(request("ping"))
    del environ["HTTP_X_REQUEST_ID"]
    _, headers, _ = ask(front, environ)
    assert begun == [headers["x-request-id"]]


@pytest.mark.parametrize(
    "fields", [{"method": "GET"}, {"path": "/mcp/server-card"}, {"http_host": "evil.example"}]
)
def test_everything_else_is_for_django(front, begun, fields):
    ask(front, environment(b"", **fields))
    assert begun[0] == "django"


def test_a_request_without_a_host_is_for_django(front, begun):
    environ = environment(request("ping"))
    del environ["HTTP_HOST"]
    ask(front, environ)
    assert begun == ["django"]


def test_front_and_view_spend_one_budget(front, settings):
    settings.RATE_LIMITS = {"mcp": (2, 600)}
    first = ask(front, environment(request("ping")))
    Client().post("/mcp", b"", "application/json", REMOTE_ADDR="192.0.2.7")
    refused = ask(front, environment(request("ping")))
    assert first[1]["ratelimit-policy"] == refused[1]["ratelimit-policy"] == '"mcp";q=2;w=600'
    assert refused[0] == "429 Too Many Requests"
    assert int(refused[1]["retry-after"]) in range(1, 601)


def test_a_connection_is_given_up_when_its_time_has_come(front, monkeypatch):
    closed = []
    monkeypatch.setattr("publishing.fast_path.close_old_connections", lambda: closed.append(1))
    ask(front, environment(request("ping")))
    assert closed == [1]
