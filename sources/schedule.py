"""Schedule of polls, and the claims of the workers that poll and import.

Each request of a poll and each step of an import extends the claim.
"""

import datetime as dt
import logging
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import Error as DatabaseProblem

from core.claims import Claim, ClaimLost, claim_first
from core.db.errors import message_for
from sources.models import POLL_LABEL, ConnectionQuerySet

logger = logging.getLogger(__name__)

FIRST_WAIT_SECONDS = 60.0
MAX_WAIT_SECONDS = 6 * 3600.0
MAX_RETRY_AFTER_SECONDS = 24 * 3600.0
JITTER = 0.1  # Waits are up to this share shorter, or longer after a failure.
POLL_CLAIM_SECONDS = 75.0  # Longer than one request.
IMPORT_CLAIM_SECONDS = 180.0  # Longer than one step of an import of a usual file.
RETRY_SECONDS = 10.0

_random = random.SystemRandom()
_unstored: Counter[int] = Counter()  # Consecutive polls that this process could not store.


def next_poll(now: dt.datetime, interval_seconds: float) -> dt.datetime:
    """Return the time of the next regular poll.

    It is 5 to 10 % early, so that the sweep and the import still fit into the interval.
    """
    share = 1 - JITTER * (1 + _random.random()) / 2
    return now + dt.timedelta(seconds=interval_seconds * share)


def retry_at(now: dt.datetime, failures: int, retry_after_seconds: float = 0.0) -> dt.datetime:
    """Return the time of the next attempt after consecutive failures.

    The wait begins with a minute and doubles up to six hours. `retry_after_seconds`, which the
    source asks for, may extend it to a day at most.
    """
    doubled = FIRST_WAIT_SECONDS * 2 ** min(failures - 1, 20)
    wait = min(doubled, MAX_WAIT_SECONDS) * (1 + _random.random() * JITTER)
    return now + dt.timedelta(seconds=max(wait, min(retry_after_seconds, MAX_RETRY_AFTER_SECONDS)))


# --- Claims ---------------------------------------------------------------------------------------


class TryLater(Exception):
    """Work that has to be tried again soon."""


def claim_for_poll(rows: ConnectionQuerySet) -> Claim | None:
    return claim_first(rows, POLL_CLAIM_SECONDS, label=POLL_LABEL)


def claim_for_import(rows: ConnectionQuerySet) -> Claim | None:
    return claim_first(rows, IMPORT_CLAIM_SECONDS)


@contextmanager
def holding(claim: Claim) -> Iterator[None]:
    """Release the claim after the work, or let it expire soon if the work has to be retried."""
    try:
        yield
    except TryLater:
        _retry_soon(claim)
    except ClaimLost:
        logger.warning("Another worker has taken source %d over.", claim.pk)
    except DatabaseProblem as error:
        logger.error("Source %d: %s", claim.pk, message_for(error) or error)
        with suppress(DatabaseProblem):  # If this fails too, the claim expires by itself.
            _retry_soon(claim)
    else:
        _unstored.pop(claim.pk, None)
        claim.release()


def _retry_soon(claim: Claim) -> None:
    """Let the claim expire soon, so that the work is tried again.

    The wait doubles with each poll that cannot be stored, since the source may bill each poll.
    """
    seconds = RETRY_SECONDS
    if claim.token.startswith(POLL_LABEL):
        seconds = min(seconds * 2 ** _unstored[claim.pk], MAX_WAIT_SECONDS)
        _unstored[claim.pk] += 1
    claim.free_after(seconds)
