"""Leases and claims use the database's clock."""

import datetime as dt

import pytest
from django.db import connection
from django.utils import timezone

from tests.websub.deliveries import claimed
from tests.websub.rows import make_subscription
from websub import clock
from websub.claims import FAST
from websub.models import Subscription

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
of_database = clock.now  # Other tests replace it by this process's clock.


@pytest.fixture
def machine(monkeypatch, time_machine):
    """Shift this machine's clock, while the database keeps its own."""
    monkeypatch.setattr(clock, "now", of_database)
    return time_machine


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite's clock is the machine's")
@pytest.mark.parametrize("wrong_by", [DAY, -DAY])
def test_wrong_machine_clock_affects_no_claim_or_lease(publish, machine, allow_loopback, wrong_by):
    publish()
    now = clock.now()
    living = make_subscription(expires_at=now + dt.timedelta(hours=1), next_attempt_at=now)
    make_subscription(expires_at=now - dt.timedelta(hours=1), next_attempt_at=now)
    machine.move_to(timezone.now() + wrong_by, tick=True)

    assert [row.subscription for row in claimed()] == [living]
    assert claimed() == []
    held_for = Subscription.objects.get(pk=living.pk).claimed_until - now
    assert held_for.total_seconds() == pytest.approx(FAST.claim_seconds, abs=5)
    assert list(Subscription.objects.expired()) == list(Subscription.objects.exclude(pk=living.pk))


def test_clock_of_sqlite_is_that_of_its_machine(machine):
    machine.move_to("2026-05-01T12:00:00Z", tick=False)

    assert (clock.now() == timezone.now()) is (connection.vendor == "sqlite")
