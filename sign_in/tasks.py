"""Celery task that purges sign-ins, sessions and the history of the admin."""

import datetime as dt

from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from celery import shared_task
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.utils import timezone

# Longer than any lockout, and long enough to investigate an attack.
LOGINS_KEPT = dt.timedelta(days=30)
HISTORY_KEPT = dt.timedelta(days=730)  # Of changes in the administration.
# A script that invents names would fill the disk within a month.
FAILURES_KEPT = 100_000


@shared_task
def purge_logins() -> None:
    """Delete old sign-ins, expired sessions, and old history of the admin."""
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    LogEntry.objects.filter(action_time__lt=timezone.now() - HISTORY_KEPT).delete()
    for log in (AccessAttempt, AccessFailureLog, AccessLog):
        log.objects.filter(attempt_time__lt=timezone.now() - LOGINS_KEPT).delete()
    newest = AccessFailureLog.objects.order_by("-pk").values_list("pk", flat=True)
    if last := newest[FAILURES_KEPT : FAILURES_KEPT + 1]:
        AccessFailureLog.objects.filter(pk__lte=last[0]).delete()
