"""Upkeep of what belongs to no app of ours."""

import datetime as dt

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.utils import timezone

from config.tasks import purge_logins

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("log", [AccessAttempt, AccessFailureLog, AccessLog])
def test_logins_and_attempts_are_forgotten_after_a_month(log):
    given = {"failures_since_start": 1} if log is AccessAttempt else {}
    for name in ("recent", "old"):
        log.objects.create(username=name, ip_address="192.0.2.1", **given)
    for name, days in (("recent", 29), ("old", 31)):
        log.objects.filter(username=name).update(
            attempt_time=timezone.now() - dt.timedelta(days=days)
        )

    purge_logins()

    assert [row.username for row in log.objects.all()] == ["recent"]
