"""The default rate limiter: fixed windows in Django's cache."""

import pytest
from django.core.cache.backends.locmem import LocMemCache

from tests.websub.conftest import FORM, send


@pytest.fixture
def plain(settings, db):
    settings.WEBSUB_RATE_LIMITER = "websub.rate_limit.hit"
    settings.WEBSUB_CLIENT_KEY = "websub.rate_limit.remote_address"
    settings.WEBSUB_RATE_LIMITS = {"hub": (2, 60)}


def test_request_over_limit_is_refused_until_window_ends(plain, client, time_machine):
    time_machine.move_to("2026-05-01T12:00:15Z", tick=False)

    answers = [send(client, FORM) for _ in range(3)]
    other = send(client, FORM, REMOTE_ADDR="192.0.2.7")
    time_machine.shift(45)
    later = send(client, FORM)

    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert answers[2].headers["Retry-After"] == "45"
    assert (other.status_code, later.status_code) == (202, 202)


def test_requests_are_refused_while_cache_fails(plain, client, monkeypatch):
    def fail(*args, **kwargs):
        raise ConnectionError("refused")

    monkeypatch.setattr(LocMemCache, "incr", fail)

    assert send(client, FORM).status_code == 503
