"""The queue of sign-ins: one password of a process is hashed at a time, and one sign-in waits.

A hash takes a third of a second of a processor, and a sign-in that waits takes a thread. The place
to wait goes to another network than that of the password which is being hashed, and first of all to
a network from which somebody has signed in lately: a sign-in that waits with less right is refused.
So loops of passwords keep out sign-ins of their own networks, and not the owner.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition
from time import monotonic

from axes.models import AccessLog
from django.db import Error as DatabaseProblem
from django.utils import timezone

from core.http.request_body import BodyReadLimiter, TooManyBodies
from sign_in.limits import KNOWN_NETWORK_PERIOD

logger = logging.getLogger(__name__)

WAIT_SECONDS = 10.0  # On a busy machine a hash takes several.
LOOK_SECONDS = 0.25


def is_known_network(network: str | None) -> bool:
    """Tell whether somebody has signed in from this network lately."""
    if network is None:
        return False
    since = timezone.now() - KNOWN_NETWORK_PERIOD
    try:
        return bool(AccessLog.objects.filter(ip_address=network, attempt_time__gt=since).exists())
    except DatabaseProblem as error:  # The sign-in meets it too, and it is answered there.
        logger.warning("Nobody can tell whether a network is known: %s", error)
        return False


@dataclass(frozen=True, slots=True, order=True)
class _Right:
    """Right to the place to wait; the greater one goes before."""

    is_known: bool
    is_of_another_network: bool


class SignInQueue:
    """One sign-in at a time in a place of `within`, while another one waits for it.

    It waits for at most `seconds`, and not while all places of `all_places` are held for long: its
    thread is the one that is left for reading then.
    """

    def __init__(
        self,
        within: BodyReadLimiter,
        all_places: BodyReadLimiter,
        *,
        seconds: float = WAIT_SECONDS,
    ) -> None:
        self._within = within
        self._all_places = all_places
        self._seconds = seconds
        self._changed = Condition()
        self._current: str | None = None
        self._waiting: tuple[object, _Right] | None = None

    @contextmanager
    def place(self, network: str | None) -> Iterator[None]:
        """Wait for the place to hash and hold it; raises `TooManyBodies`."""
        self._begin(network or "unknown", is_known=is_known_network(network))
        try:
            with self._within:
                yield
        finally:
            with self._changed:
                self._current = None
                self._changed.notify_all()

    def _begin(self, network: str, *, is_known: bool) -> None:
        with self._changed:
            if self._current is not None or self._waiting is not None:
                self._wait(_Right(is_known, network != self._current))
            self._current = network

    def _wait(self, right: _Right) -> None:
        if self._waiting is not None and right <= self._waiting[1]:
            raise TooManyBodies
        own = (object(), right)
        self._waiting = own
        self._changed.notify_all()
        ends_at = monotonic() + self._seconds
        while (
            self._current is not None
            and self._waiting is own
            and monotonic() < ends_at
            and not self._all_places.is_stuck
        ):
            self._changed.wait(LOOK_SECONDS)
        if self._waiting is not own:
            raise TooManyBodies
        self._waiting = None
        if self._current is not None:
            raise TooManyBodies
