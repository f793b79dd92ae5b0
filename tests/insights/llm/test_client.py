"""A model's server may be unreachable, busy, old or wrong. One error covers all cases."""

import pytest

from insights.llm import client
from insights.llm.client import ChatClient, ChatTooSlow, ChatUnavailable, Reply
from tests.insights.llm.chat_server import ChatServer, completion, failure

MESSAGES = [{"role": "user", "content": "x" * 40}]
SCHEMA = {"type": "object"}


@pytest.fixture
def server():
    with ChatServer() as running:
        yield running


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr(client.time, "sleep", slept.append)
    return slept


def test_request_has_question_and_schema(server):
    server.answer_in_order(completion("{}", tokens=7))

    reply = ChatClient(server.url + "/", "the-key", "small").ask(MESSAGES, SCHEMA)

    assert (reply.content, reply.tokens) == ("{}", 7)
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["Authorization"] == "Bearer the-key"
    assert server.requests == [
        {
            "model": "small",
            "messages": MESSAGES,
            "temperature": 0,
            "seed": 1,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "review", "strict": True, "schema": SCHEMA},
            },
        }
    ]


def test_server_without_schema_support_is_asked_without_schema(server):
    server.answer_in_order(failure(400), completion("{}"), completion("{}"))
    client = ChatClient(server.url, "", "small")

    client.ask(MESSAGES, SCHEMA)
    client.ask(MESSAGES, SCHEMA)

    assert ["response_format" in requests for requests in server.requests] == [True, False, False]


def test_busy_server_is_retried(server, waits):
    server.answer_in_order(failure(503), failure(429, Retry_After="9"), completion("{}"))

    reply = ChatClient(server.url, "", "small").ask(MESSAGES, SCHEMA)

    assert reply.content == "{}"
    assert waits == [1.0, 9.0]


@pytest.mark.parametrize(
    ("answers", "tries", "reason"),
    [
        ([failure(500)] * 3, 3, "it answered 500"),
        ([failure(429, Retry_After="3600")], 1, "it answered 429"),
        ([failure(401)], 1, "it answered 401"),
        ([failure(302, Location="http://elsewhere.example/")], 1, "it answered 302"),
        ([(200, {}, b"<html>")], 1, "its answer is not a chat completion"),
        ([(200, {}, b"[" * 100_000)], 1, "its answer is not a chat completion"),
        ([(200, {}, b'{"choices": []}')], 1, "its answer is not a chat completion"),
        ([(200, {}, b"\xff")], 1, "its answer is not a chat completion"),
        (
            [(200, {}, b"x" * 1_000_001)],
            1,
            "its answer cannot be read: The answer is longer than 1,000,000 bytes.",
        ),
    ],
)
def test_useless_answer_is_explained(server, answers, tries, reason):
    server.answer_in_order(*answers)

    with pytest.raises(ChatUnavailable) as raised:
        ChatClient(server.url, "the-key", "small").ask(MESSAGES, SCHEMA)

    assert str(raised.value) == reason
    assert len(server.requests) == tries


@pytest.mark.parametrize("content", [b"null", b"7", rb'"\u0000"', rb'"\ud800"'])
def test_empty_answer_is_an_error_with_cost(server, content):
    said = b'{"choices": [{"message": {"content": %b}}], "usage": {"total_tokens": 7}}' % content
    server.answer_in_order((200, {}, said))

    assert ChatClient(server.url, "", "small").ask(MESSAGES, SCHEMA) == Reply("", 7)


def test_endless_response_is_abandoned(server, monkeypatch):
    monkeypatch.setattr(client, "TIMEOUT_SECONDS", 0.2)
    server.answer = lambda _: (200, {}, b" " * 1_000)
    server.pause_seconds = 0.01

    with pytest.raises(ChatTooSlow, match=r"^no answer within 0.2 s$"):
        ChatClient(server.url, "", "small").ask(MESSAGES, SCHEMA)
    assert len(server.requests) == 1


@pytest.mark.parametrize("usage", [None, 0, -3, True, 10**30])
def test_uncounted_tokens_are_estimated(server, usage):
    server.answer_in_order(completion("y" * 8, tokens=usage))

    assert ChatClient(server.url, "", "small").ask(MESSAGES, SCHEMA).tokens == 12
