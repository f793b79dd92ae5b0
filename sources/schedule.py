"""When a source is looked at next: its interval, back-off and `Retry-After`, with jitter."""

import datetime as dt
import random

FIRST_WAIT_SECONDS = 60.0
LONGEST_WAIT_SECONDS = 6 * 3600.0
LONGEST_RETRY_AFTER_SECONDS = 24 * 3600.0
JITTER = 0.1  # Waits are up to this share shorter, or longer after a failure.

_random = random.SystemRandom()


def next_look(now: dt.datetime, interval_seconds: float) -> dt.datetime:
    """The next regular look, so much within the interval that the sweep and the import fit in."""
    share = 1 - JITTER * (1 + _random.random()) / 2
    return now + dt.timedelta(seconds=interval_seconds * share)


def retry_at(now: dt.datetime, failures: int, retry_after_seconds: float = 0.0) -> dt.datetime:
    """The next look after so many failures in a row: a minute, doubled each time up to six hours.

    The source may ask for a longer wait, of a day at most.
    """
    doubled = FIRST_WAIT_SECONDS * 2 ** min(failures - 1, 20)
    wait = min(doubled, LONGEST_WAIT_SECONDS) * (1 + _random.random() * JITTER)
    return now + dt.timedelta(
        seconds=max(wait, min(retry_after_seconds, LONGEST_RETRY_AFTER_SECONDS))
    )
