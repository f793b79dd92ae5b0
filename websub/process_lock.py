"""Who does what one process of a machine does at a time."""

import contextlib
import fcntl
import logging
import threading
from collections.abc import Iterator
from functools import cache

from django.conf import settings

logger = logging.getLogger(__name__)

_locks: dict[str, threading.Lock] = {}


@contextlib.contextmanager
def single_process_lock(name: str) -> Iterator[bool]:
    """Whether it is ours now; nobody else on this machine has it meanwhile."""
    in_process = _locks.setdefault(name, threading.Lock())
    if not in_process.acquire(blocking=False):
        yield False
        return
    try:
        with _machine_lock(name) as is_ours:
            yield is_ours
    finally:
        in_process.release()


@contextlib.contextmanager
def _machine_lock(name: str) -> Iterator[bool]:
    """By a lock of the file system, which ends with its process, however that ends."""
    with contextlib.ExitStack() as held:
        try:
            file = held.enter_context((settings.STATE_DIR / f"{name}.lock").open("w"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = True
        except BlockingIOError:
            is_ours = False
        except OSError as error:
            # Without it each process of the machine takes a turn: more places held, nothing done
            # twice.
            _log_once(
                f"STATE_DIR takes no lock ({error}). Let this user write there, and have it on a "
                "file system that knows locks."
            )
            is_ours = True
        yield is_ours


@cache
def _log_once(sentence: str) -> None:
    logger.error(sentence)
