"""Fork the readers of files from one process instead of starting each.

Importing a reader takes a tenth of a second, and a run of the tests starts a thousand of them. A
forked reader has the same arguments, environment, limits and pipes.
"""

import fcntl
import multiprocessing
import os
import runpy
import subprocess
import sys
from multiprocessing.connection import Connection
from typing import Any

MODULE = "review_exports"
KNOWN = {"stdin", "stdout", "stderr", "pass_fds", "env", "start_new_session"}

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([__name__, MODULE])


class Popen(subprocess.Popen):
    """Replace `subprocess.Popen` for readers of exports."""

    def __new__(cls, command: Any, *arguments: Any, **options: Any) -> Any:
        """Fork a reader; start anything else."""
        is_reader = list(command[1:3]) == ["-m", MODULE] and not arguments
        if is_reader and options.keys() <= KNOWN and options.get("stdout") == subprocess.PIPE:
            return ForkedReader(command, **options)
        return super().__new__(cls)


class ForkedReader:
    """Implement the part of `Popen` that callers of a reader use."""

    def __init__(self, command: Any, *, stdin: Any, pass_fds: Any = (), env: Any, **_: Any) -> None:
        output, writing = os.pipe()
        files = {0: stdin.fileno(), 1: writing, **{number: number for number in pass_fds}}
        # A connection passes its file descriptor to the process.
        copies = {number: Connection(os.dup(file)) for number, file in files.items()}
        self._process = _context.Process(target=_read, args=(command[2:], env, copies))
        self._process.start()
        for copy in copies.values():
            copy.close()
        os.close(writing)
        self.stdout = os.fdopen(output, "rb")
        self.pid = self._process.pid
        self.kill = self.terminate = self._process.kill

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    poll = returncode.fget

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(MODULE, timeout or 0)
        return self.returncode


def _read(arguments: list[str], env: dict[str, str], files: dict[int, Connection]) -> None:
    os.setsid()
    # Above all requested descriptor numbers.
    copies = {
        number: fcntl.fcntl(file.fileno(), fcntl.F_DUPFD, 100) for number, file in files.items()
    }
    for number, copy in copies.items():
        os.dup2(copy, number)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stdin = os.fdopen(0)  # `multiprocessing` has closed the descriptor.
    os.environ.clear()
    os.environ.update(env)
    sys.argv = arguments
    runpy.run_module(MODULE, run_name="__main__", alter_sys=True)
