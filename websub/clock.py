"""The database's clock, shared by all machines, for leases, claims and delays."""

import datetime as dt

from django.db import connection
from django.utils import timezone


def now() -> dt.datetime:
    """Return the current time, independent of errors of this machine's clock."""
    if connection.vendor == "sqlite":
        return timezone.now()  # All processes run on the machine that has the file.
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: dt.datetime = cursor.fetchone()[0]
        return at
