"""A hub that may contact loopback, and callbacks there over TLS."""

import gzip
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from publishing.models import Document
from tests.guarded_http.tls import Authority
from tests.websub.publishers import publisher  # noqa: F401  (A fixture.)
from tests.websub.sinks import Sink, start_sink
from websub import delivery, enqueue, tasks
from websub.models import Verification

FEED = "https://reviews.example/feed.xml"
JSON_FEED = "https://reviews.example/api/feed.json"
REVIEWS = "https://reviews.example/reviews.json"
HUB = "https://reviews.example/api/websub/hub"
CALLBACK = "https://hooks.example.com/cb?user=%7E1&x=A%20b"
FORM = {"hub.mode": "subscribe", "hub.callback": CALLBACK, "hub.topic": FEED}


@pytest.fixture(scope="session")
def trusted(tmp_path_factory) -> Authority:
    return Authority.make(tmp_path_factory.mktemp("trusted"))


@pytest.fixture
def allow_loopback(settings, trusted, monkeypatch, tmp_path) -> None:
    """Allow and trust callbacks on this machine, and do not wait for them."""
    settings.WEBSUB_STATE_DIR = tmp_path  # Only one process may hold a queue's lock.
    settings.WEBSUB_ALLOWED_NETWORKS = ["127.0.0.0/8"]
    settings.WEBSUB_CA_BUNDLE = trusted.bundle
    settings.WEBSUB_VISIBLE_AFTER_SECONDS = 0.0
    monkeypatch.setattr(delivery, "RUN_SECONDS", 60.0)  # Long enough for a busy machine.


@pytest.fixture
def sink(allow_loopback, trusted) -> Iterator[Sink]:
    with start_sink(trusted.context("127.0.0.1")) as sink:
        yield sink


@pytest.fixture
def publish(db) -> Callable[..., Document]:
    """Store a new version of a topic, as the publisher does."""

    def publish(body: bytes | None = None, topic: str = FEED) -> Document:
        path = topic.removeprefix("https://reviews.example")
        document, _ = Document.objects.get_or_create(path=path)
        document.version += 1
        plain = body or f"<feed>version {document.version}</feed>".encode()
        document.gzip = gzip.compress(plain)
        document.save()
        return document

    return publish


@pytest.fixture
def ask(client) -> Callable[..., Any]:
    """Send the hub a request, with fields without their common prefix."""

    def ask(mode: str, callback: str, topic: str = FEED, **fields: str) -> Any:
        given = {"mode": mode, "callback": callback, "topic": topic, **fields}
        form = {f"hub.{name}": value for name, value in given.items()}
        return send(client, form)

    return ask


@pytest.fixture
def enqueued_tasks(monkeypatch) -> list[object]:
    """Collect the names of the enqueued tasks, with their delay."""
    sent: list[object] = []
    monkeypatch.setattr(enqueue, "_delayed_until", {})
    for name in ("verify_due", "deliver_due", "deliver_slow_due"):

        def note(*_: Any, countdown: float, name: str = name) -> None:
            sent.append((name, round(countdown)) if countdown else name)

        monkeypatch.setattr(getattr(tasks, name), "apply_async", note, raising=False)
    return sent


def send(client, form: dict[str, str], path: str = "hub", **headers: Any) -> Any:
    content_type = "application/x-www-form-urlencoded"
    return client.post(f"/api/websub/{path}", urlencode(form), content_type=content_type, **headers)


def refused(answer, status: int) -> str:
    assert answer.status_code == status
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert not Verification.objects.exists()
    sentence = answer.content.decode()
    assert sentence.endswith(".\n")
    return sentence.removesuffix("\n")
