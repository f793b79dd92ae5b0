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
ABSENT_SECONDS = 60 * 60  # A stale role counts as absent after this time.


def beat(role: Role) -> None:
    """Record a heartbeat; only log errors of the cache."""
    try:
        cache.set(_key(role), time.time(), timeout=ABSENT_SECONDS)
    except Exception as error:  # noqa: BLE001  (each cache backend raises its own errors)
        logger.warning("The %s cannot leave its sign of life: %s", role, error)


def states() -> dict[Role, State]:
    """State of each role; all are absent if the cache cannot be read."""
    try:
        beats = cache.get_many([_key(role) for role in ROLES])
    except Exception as error:  # noqa: BLE001  (as above)
        logger.warning("The signs of life cannot be read: %s", error)
        beats = {}
    now = time.time()
    return {role: _state(beats.get(_key(role)), now) for role in ROLES}


def start(role: Role) -> threading.Thread:
    """Record heartbeats from a daemon thread."""
    thread = threading.Thread(target=_beat_for_ever, args=(role,), name="heartbeat", daemon=True)
    thread.start()
    return thread


def _beat_for_ever(role: Role) -> None:
    while True:
        beat(role)
        # The process may fork before the next heartbeat, and must not share a connection then.
        connections.close_all()
        time.sleep(BEAT_SECONDS)


def _key(role: Role) -> str:
    return f"heartbeat:{role}"


def _state(beat_at: object, now: float) -> State:
    if not isinstance(beat_at, float):
        return "absent"
    # A heartbeat from the future comes from a wrong clock, and may be old.
    return "ok" if abs(now - beat_at) <= STALE_SECONDS else "stale"
