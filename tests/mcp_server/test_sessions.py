"""Session ids: valid in every process, signed, ended by the client (D)."""

import re

import pytest
import time_machine
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.handshake import REVISIONS
from mcp_server.sessions import SignedSessions
from tests.mcp_server.mcp_client import Session, request, send

sessions = SignedSessions()


class BrokenCache(LocMemCache):
    def add(self, *args, **kwargs):
        raise OSError("gone")

    __contains__ = add


BROKEN = {"default": {"BACKEND": f"{__name__}.{BrokenCache.__name__}"}}


@pytest.mark.parametrize("revision", REVISIONS)
def test_id_is_unique_visible_and_has_revision(revision):
    first, second = sessions.open(revision), sessions.open(revision)
    assert first != second
    assert re.fullmatch(r"[!-~]{60,100}", first)  # D2, D3
    assert sessions.revision(first) == revision


def test_id_is_valid_in_other_process_without_storage(monkeypatch):
    opened = sessions.open("2025-06-18")  # D8, D10
    monkeypatch.setattr(cache, "add", None)
    assert SignedSessions().revision(opened) == "2025-06-18"


def test_changed_key_keeps_sessions_of_former_key(settings):
    opened = sessions.open("2025-06-18")
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another-" + "k" * 50
    assert sessions.revision(opened) is None
    settings.SECRET_KEY_FALLBACKS = [old]
    assert sessions.revision(opened) == "2025-06-18"


def test_session_lifetime_is_a_setting(settings):
    settings.MCP_SESSION_SECONDS = 600
    with time_machine.travel("2026-03-14T12:00:00Z", tick=False) as clock:
        opened = sessions.open("2025-06-18")
        clock.shift(600)
        assert sessions.revision(opened) == "2025-06-18"
        clock.shift(1)
        assert sessions.revision(opened) is None
        assert sessions.end(opened) is False


@given(st.data())
def test_altered_id_is_invalid(data):
    opened = sessions.open("2025-06-18")  # D6
    place = data.draw(st.integers(0, len(opened) - 1))
    other = data.draw(st.characters(min_codepoint=33, max_codepoint=126))
    altered = opened[:place] + other + opened[place + 1 :]
    if altered != opened:
        assert sessions.revision(altered) is None


# --- Over HTTP ------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("make", [lambda known: "x", lambda known: known + "A", lambda known: ""])
def test_unknown_session_is_not_found(make):
    reply = send(request("ping"), mcp_session_id=make(Session().id))  # D5, D6
    assert (reply.status, reply.code, reply.body["id"]) == (404, -32600, 1)
    assert reply.error["message"] == (
        "This session is unknown or over. Send initialize to open one."
    )


@pytest.mark.django_db
def test_delete_ends_one_session():
    one, other = Session(), Session()
    ended = one.send(b"", method="DELETE")  # D7, D9
    assert (ended.status, ended.body) == (204, None)
    assert "Content-Length" not in ended.headers
    assert one.ask("ping").status == 404
    assert one.send(b"", method="DELETE").status == 404
    assert other.ask("ping").status == 200
    assert send(b"", method="DELETE", mcp_session_id="x").status == 404
    assert send(b"", method="DELETE").status == 400


@pytest.mark.django_db
def test_revision_without_sessions_has_no_delete():
    session = Session()
    reply = session.send(b"", method="DELETE", mcp_protocol_version="2026-07-28")  # C8
    assert (reply.status, reply.code, reply.headers["Allow"]) == (405, -32600, "POST, OPTIONS")
    assert session.ask("ping").status == 200


@pytest.mark.django_db
@override_settings(CACHES=BROKEN)
def test_sessions_continue_without_cache_but_cannot_be_ended(caplog):
    session = Session()
    assert session.ask("ping").status == 200
    assert session.ask("ping").status == 200
    assert caplog.text.count("Ended sessions are accepted") == 1
    reply = session.send(b"", method="DELETE")
    assert (reply.status, reply.code) == (503, -32603)
    assert reply.headers["Retry-After"] == "5"
