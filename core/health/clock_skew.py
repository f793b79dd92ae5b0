"""Whether this machine's clock agrees with the database's, which all machines share."""

import logging
import time

from django.conf import settings
from django.db import connection

logger = logging.getLogger(__name__)

AGREE = "ok"
AGREE_SECONDS = 5.0  # A larger difference hides signs of life.


def compare() -> str:
    """`AGREE`, or a sentence for the operator, which is logged too; raises `DatabaseError`.

    A database server's clock may differ from ours, a file's does not.
    """
    with connection.cursor() as cursor:
        if settings.USES_SQLITE:
            cursor.execute("SELECT 1")
            return AGREE
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        ahead = time.time() - float(cursor.fetchone()[0])
    if abs(ahead) <= AGREE_SECONDS:
        return AGREE
    what = "ahead of" if ahead > 0 else "behind"
    sentence = (
        f"This machine's clock is {abs(ahead):.0f} s {what} the database's. Let NTP set both: "
        "sessions, limits, messages and signs of life go by them."
    )
    logger.warning("%s", sentence)
    return sentence
