"""The database's clock, which all machines share, for leases, claims and waits."""

import datetime as dt

from django.db import connection
from django.utils import timezone


def now() -> dt.datetime:
    """The current time; a machine whose own clock is wrong ends no lease early."""
    if connection.vendor == "sqlite":
        return timezone.now()  # The file is on this machine, and so is its clock.
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: dt.datetime = cursor.fetchone()[0]
        return at
