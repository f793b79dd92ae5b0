"""How many threads of this process are at each host, over all lanes and runs."""

import threading
from collections import Counter

MAX_CONCURRENT = 4


class HostLimiter:
    """Threads are at work at a host, or held there by a callback that hangs.

    Who is held takes no place from the others of the host, which may be a service with many
    subscribers. Safe to use from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_work: Counter[str] = Counter()
        self._held: Counter[str] = Counter()

    def enter(self, host: str, most_held: int) -> bool:
        """Whether one more may; then it is at work there."""
        with self._lock:
            may = self._at_work[host] < MAX_CONCURRENT and self._held[host] < most_held
            if may:
                self._at_work[host] += 1
            return may

    def hold(self, host: str) -> None:
        """One that is at work there is held from now on."""
        with self._lock:
            self._at_work -= Counter({host: 1})  # Keeps no zeros.
            self._held[host] += 1

    def leave(self, host: str, *, was_held: bool) -> None:
        with self._lock:
            if was_held:
                self._held -= Counter({host: 1})
            else:
                self._at_work -= Counter({host: 1})

    def saturated_hosts(self, most_held: int) -> frozenset[str]:
        """Where nobody can be tried for now, since so many are held."""
        with self._lock:
            return frozenset(host for host, count in self._held.items() if count >= most_held)
