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


@dataclass(slots=True, eq=False)
class _Waiting:
    """The sign-in that waits, until the place is handed to it."""

    network: str
    right: tuple[bool, bool]  # A known network, and another one than that of the hash, go before.
    has_place: bool = False


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
        self._waiting: _Waiting | None = None

    @contextmanager
    def place(self, network: str | None) -> Iterator[None]:
        """Wait for the place to hash and hold it; raises `TooManyBodies`."""
        self._begin(network or "unknown", is_known=is_known_network(network))
        try:
            with self._within:
                yield
        finally:
            self._hand_over()

    def _begin(self, network: str, *, is_known: bool) -> None:
        with self._changed:
            if self._current is None:
                self._current = network
            else:
                self._wait(_Waiting(network, (is_known, network != self._current)))

    def _hand_over(self) -> None:
        """Give the place to the sign-in that waits, before another one can come in between."""
        with self._changed:
            waiting, self._waiting = self._waiting, None
            self._current = waiting.network if waiting else None
            if waiting:
                waiting.has_place = True
            self._changed.notify_all()

    def _wait(self, own: _Waiting) -> None:
        if self._waiting is not None and own.right <= self._waiting.right:
            raise TooManyBodies
        self._waiting = own
        self._changed.notify_all()
        ends_at = monotonic() + self._seconds
        while self._waiting is own and monotonic() < ends_at and not self._all_places.is_stuck:
            self._changed.wait(LOOK_SECONDS)
        if own.has_place:
            return
        if self._waiting is own:
            self._waiting = None
        raise TooManyBodies
