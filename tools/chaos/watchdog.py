"""End the processes of a run that was killed (`kill -9`, out of memory).

Run as a script by `tools.chaos.processes`, which writes `+pid` and `-pid` lines to its input as
process groups come and go, and `done` when it has ended them all. The input ends when the
run does, however that happens. A pipe works on every Unix, and ending groups reaches
grandchildren, which a parent-death signal would not.
"""

import contextlib
import os
import signal
import sys
import time

GRACE_SECONDS = 5.0


def main() -> None:
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        if line.strip() == "done":
            return
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    end(groups)


def end(groups: set[int]) -> None:
    _signal(groups, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while _alive(groups) and time.monotonic() < deadline:
        time.sleep(0.1)
    _signal(groups, signal.SIGKILL)


def _signal(groups: set[int], number: int) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def _alive(groups: set[int]) -> bool:
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, 0)
            return True
    return False


if __name__ == "__main__":
    main()
