"""Upkeep of what belongs to no app of ours."""

import datetime as dt

import pytest
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone

from sign_in.tasks import purge_logins

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


def test_sessions_that_are_over_are_forgotten():
    user = User.objects.create_user("owner")
    for name, days in (("over", -1), ("open", 1)):
        end = timezone.now() + dt.timedelta(days=days)
        Session.objects.create(session_key=name, expire_date=end)
        UserSession.objects.create(session_key=name, user=user, ip="192.0.2.1", user_agent="x")

    purge_logins()

    assert [session.session_key for session in Session.objects.all()] == ["open"]
    assert [session.session_key for session in UserSession.objects.all()] == ["open"]
