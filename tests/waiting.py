"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable

# Longer than anything takes on the busiest machine, and less than `faulthandler_timeout`.
TIMEOUT_SECONDS = 240


def eventually(is_so: Callable[[], object], meanwhile: Callable[[], object] = lambda: None) -> None:
    """Wait until it is so; fail when that takes for ever."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "It did not come about in time."
        meanwhile()
        time.sleep(0.02)
