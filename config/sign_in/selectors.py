"""Reads of the record of sign-ins."""

import datetime as dt
from typing import Any

from axes.models import AccessFailureLog
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Max
from django.utils import timezone

GUESSED_DAYS = 7
GUESSED_FAILURES = 20  # A user who has forgotten a password stays below.
MAX_GUESSED = 5


def guessed_accounts(user: User | AnonymousUser) -> list[dict[str, Any]]:
    """Accounts with many failed sign-ins: `username`, `failures`, `last_at`.

    A user sees the own account, a superuser those of all users, at most five.
    """
    seen = User.objects.all()
    if not user.is_superuser:
        seen = seen.filter(username=user.get_username())
    rows = (
        AccessFailureLog.objects.filter(
            attempt_time__gt=timezone.now() - dt.timedelta(days=GUESSED_DAYS),
            username__in=seen.values("username"),
        )
        .order_by()
        .values("username")
        .annotate(failures=Count("pk"), last_at=Max("attempt_time"))
        .filter(failures__gte=GUESSED_FAILURES)
    )
    return list(rows.order_by("-failures")[:MAX_GUESSED])
