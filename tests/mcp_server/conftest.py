"""An installation with reviews, and sessions with its MCP server."""

import datetime as dt

import pytest

import mcp_server.urls  # noqa: F401  (imports the tools)
from insights.refresh import refresh
from mcp_server.registry import registry
from mcp_server.sessions import sessions
from tests.factories import make_business, make_review, make_service, make_technician
from tests.mcp_server.mcp_client import Session
from tests.web import web_processes


@pytest.fixture(autouse=True)
def _nothing_ended(monkeypatch):
    monkeypatch.setattr(sessions, "_cache_retry_at", 0.0)


@pytest.fixture
def empty_registry(monkeypatch):
    for kind in ("tools", "prompts", "resources", "completions", "examples"):
        monkeypatch.setattr(registry, kind, {})


@pytest.fixture
def published(db):
    """Three reviews, one of which mentions a technician and a service."""
    make_business()
    make_technician("Maren Holt")
    make_service("Leak detection")
    make_review(
        rating=5,
        author="Dana R.",
        text="Maren Holt found it: leak detection at its best.",
        date=dt.date(2026, 3, 14),
        technicians=["maren-holt"],
        services=["leak-detection"],
    )
    make_review(rating=2, author="Lee", text="Late again.", date=dt.date(2026, 2, 2))
    make_review(rating=4, author="Kim", text="", date=dt.date(2026, 1, 5))
    refresh()


@pytest.fixture(scope="module")
def ports(tmp_path_factory):
    """Start two web processes of one installation."""
    with web_processes(tmp_path_factory.mktemp("state"), count=2) as ports:
        yield ports


@pytest.fixture
def session(published):
    return Session()
