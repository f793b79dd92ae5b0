"""Wait for other threads and processes."""

import time
from collections.abc import Callable

# Long enough for a busy machine, and less than `faulthandler_timeout`.
TIMEOUT_SECONDS = 240


def wait_until(
    condition: Callable[[], object], meanwhile: Callable[[], object] = lambda: None
) -> None:
    """Wait until the condition holds. Fail after TIMEOUT_SECONDS."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "It did not come about in time."
        meanwhile()
        time.sleep(0.02)
