"""Heartbeats of worker and scheduler in the shared cache, and a comparison of clocks.

`/readyz` reads both: a heartbeat is as good as the clocks that date it.
"""

import logging
import threading
import time
from contextlib import suppress
from itertools import count
from typing import Literal

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection, connections

logger = logging.getLogger(__name__)

Role = Literal["worker", "scheduler"]
State = Literal["ok", "stale", "absent"]

ROLES: tuple[Role, ...] = ("worker", "scheduler")
BEAT_SECONDS = 10
BEATS_PER_CLOCK = 6
STALE_SECONDS = 30
FORGOTTEN_SECONDS = 60 * 60  # A role that was silent for so long is absent, no longer stale.

AGREE = "ok"
AGREE_SECONDS = 5.0  # A larger difference of clocks hides signs of life.


def beat(role: Role) -> None:
    """Leave the sign of life; a cache that is down is logged, never raised."""
    try:
        cache.set(_key(role), time.time(), timeout=FORGOTTEN_SECONDS)
    except Exception as error:  # noqa: BLE001  (each cache backend has errors of its own)
        logger.warning("The %s cannot leave its sign of life: %s", role, error)


def states() -> dict[Role, State]:
    """The state of each role; a cache that cannot be read makes both absent."""
    try:
        signs = cache.get_many([_key(role) for role in ROLES])
    except Exception as error:  # noqa: BLE001  (as above)
        logger.warning("The signs of life cannot be read: %s", error)
        signs = {}
    now = time.time()
    return {role: _state(signs.get(_key(role)), now) for role in ROLES}


def start(role: Role) -> threading.Thread:
    """Beat from a daemon thread for as long as this process lives."""
    thread = threading.Thread(target=_beat_for_ever, args=(role,), name="heartbeat", daemon=True)
    thread.start()
    return thread


def _beat_for_ever(role: Role) -> None:
    for number in count():
        beat(role)
        if number % BEATS_PER_CLOCK == 0:
            _tell_of_the_clock()
        # No connection is held between two beats: a pool may fork the process meanwhile.
        connections.close_all()
        time.sleep(BEAT_SECONDS)


def _tell_of_the_clock() -> None:
    # A worker's machine may have no web server whose `/readyz` would tell.
    with suppress(DatabaseError):  # Other code that needs the database says that it is away.
        compare_clocks()


def _key(role: Role) -> str:
    return f"heartbeat:{role}"


def _state(sign: object, now: float) -> State:
    if not isinstance(sign, float):
        return "absent"
    # A sign from the future is of a clock that is ahead, and may be old.
    return "ok" if abs(now - sign) <= STALE_SECONDS else "stale"


# --- Clocks of the machine and of the database ----------------------------------------------------


def compare_clocks() -> str:
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
