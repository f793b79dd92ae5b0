"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable


def eventually(is_so: Callable[[], object], meanwhile: Callable[[], object] = lambda: None) -> None:
    """Wait until it is so; fail when that takes a minute."""
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline, "It did not come about in a minute."
        meanwhile()
        time.sleep(0.02)
