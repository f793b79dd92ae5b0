"""Visits of users to the front page of the administration, which shows what is new since."""

import contextlib
import datetime as dt

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import DatabaseError, models, transaction

# Looks that follow each other within this time are one visit.
SAME_VISIT = dt.timedelta(hours=1)
WRITTEN_EVERY = dt.timedelta(minutes=1)


class Visit(models.Model):
    """A user's latest look at the front page, and the last one of the visit before."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", primary_key=True
    )
    seen_at = models.DateTimeField()
    previous_at = models.DateTimeField(null=True)  # None: this is the first visit.

    def __str__(self) -> str:
        return str(self.user)


def previous_visit(user: User | AnonymousUser, now: dt.datetime) -> dt.datetime | None:
    """The end of the user's visit before this one, if there was one; keeps that of now."""
    if not isinstance(user, User):
        return None
    visit = Visit.objects.filter(user=user).first()
    if visit is None:
        visit = Visit(user=user)
    elif now - visit.seen_at < WRITTEN_EVERY:
        return visit.previous_at
    elif now - visit.seen_at >= SAME_VISIT:
        visit.previous_at = visit.seen_at
    visit.seen_at = now
    # The page is shown also while nothing can be written.
    with contextlib.suppress(DatabaseError), transaction.atomic():
        visit.save()
    return visit.previous_at
