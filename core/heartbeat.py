"""Heartbeats of worker and scheduler in the shared cache, which `/readyz` reads."""

import logging
import threading
import time
from typing import Literal

from django.core.cache import cache
from django.db import connections

logger = logging.getLogger(__name__)

Role = Literal["worker", "scheduler"]
State = Literal["ok", "stale", "absent"]

ROLES: tuple[Role, ...] = ("worker", "scheduler")
BEAT_SECONDS = 10
STALE_SECONDS = 30
FORGOTTEN_SECONDS = 60 * 60  # A role that was silent for so long is absent, no longer stale.


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
    while True:
        beat(role)
        # No connection is held between two beats: a pool may fork the process meanwhile.
        connections.close_all()
        time.sleep(BEAT_SECONDS)


def _key(role: Role) -> str:
    return f"heartbeat:{role}"


def _state(sign: object, now: float) -> State:
    if not isinstance(sign, float):
        return "absent"
    # A sign from the future is of a clock that is ahead, and may be old.
    return "ok" if abs(now - sign) <= STALE_SECONDS else "stale"
