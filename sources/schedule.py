"""When a source is looked at next, and the claim of the worker that does it.

Each request of a look and each step of an import extends the claim.
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
from sources.models import LOOK, ConnectionQuerySet

logger = logging.getLogger(__name__)

FIRST_WAIT_SECONDS = 60.0
LONGEST_WAIT_SECONDS = 6 * 3600.0
LONGEST_RETRY_AFTER_SECONDS = 24 * 3600.0
JITTER = 0.1  # Waits are up to this share shorter, or longer after a failure.
LOOK_SECONDS = 75.0  # Longer than one request.
IMPORT_SECONDS = 180.0  # Longer than one step of an import of a usual file.
RETRY_SECONDS = 10.0

_random = random.SystemRandom()
_unstored: Counter[int] = Counter()  # Looks in a row that this process could not store.


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


# --- Claims ---------------------------------------------------------------------------------------


class TryLater(Exception):
    """Work that is left as it is and tried again soon."""


def claim_for_look(rows: ConnectionQuerySet) -> Claim | None:
    return claim_first(rows, LOOK_SECONDS, label=LOOK)


def claim_for_import(rows: ConnectionQuerySet) -> Claim | None:
    return claim_first(rows, IMPORT_SECONDS)


@contextmanager
def working(claim: Claim) -> Iterator[None]:
    """Hold the claim, and release it, but for work that is to be tried again later."""
    try:
        yield
    except TryLater:
        _retry_soon(claim)
    except ClaimLost:
        logger.warning("Another worker has taken source %d over.", claim.pk)
    except DatabaseProblem as error:
        logger.error("Source %d: %s", claim.pk, message_for(error) or error)
        with suppress(DatabaseProblem):  # Where this fails too, the claim expires by itself.
            _retry_soon(claim)
    else:
        _unstored.pop(claim.pk, None)
        claim.release()


def _retry_soon(claim: Claim) -> None:
    """Let the claim expire soon, so that the work is tried again.

    Looks that cannot be stored are tried again after twice the time each: a look may be billed.
    """
    seconds = RETRY_SECONDS
    if claim.token.startswith(LOOK):
        seconds = min(seconds * 2 ** _unstored[claim.pk], LONGEST_WAIT_SECONDS)
        _unstored[claim.pk] += 1
    claim.free_after(seconds)
