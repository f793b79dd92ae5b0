"""Visits of users to the dashboard of the administration, which marks newer reviews."""

import contextlib
import datetime as dt

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import DatabaseError, models, transaction

SAME_VISIT = dt.timedelta(hours=1)  # A longer pause begins another visit.
WRITE_INTERVAL = dt.timedelta(minutes=1)


class Visit(models.Model):
    """The latest view of the dashboard by a user, and the last one of the previous visit."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", primary_key=True
    )
    seen_at = models.DateTimeField()
    previous_at = models.DateTimeField(null=True)  # Null during the first visit.

    def __str__(self) -> str:
        return str(self.user)


def previous_visit(user: User | AnonymousUser, now: dt.datetime) -> dt.datetime | None:
    """Record a view of the dashboard, and return the end of the user's previous visit."""
    if not isinstance(user, User):
        return None
    visit = Visit.objects.filter(user=user).first()
    if visit is None:
        visit = Visit(user=user)
    elif now - visit.seen_at < WRITE_INTERVAL:
        return visit.previous_at
    elif now - visit.seen_at >= SAME_VISIT:
        visit.previous_at = visit.seen_at
    visit.seen_at = now
    # A read-only database must not break the page.
    with contextlib.suppress(DatabaseError), transaction.atomic():
        visit.save()
    return visit.previous_at
