"""Upkeep of what belongs to no app of ours."""

import datetime as dt

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.utils import timezone

from reviews.doorbell import doorbell

# Long after the last lockout is over, and long enough to look into an attack.
LOGINS_KEPT = dt.timedelta(days=30)


@doorbell
def purge_logins() -> None:
    """Forget who logged in, or tried to: the rows of an attack would stay for ever."""
    for log in (AccessAttempt, AccessFailureLog, AccessLog):
        log.objects.filter(attempt_time__lt=timezone.now() - LOGINS_KEPT).delete()
