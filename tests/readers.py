"""Readers of files that are forked from one process, instead of started each by itself.

A reader imports for a tenth of a second, and a run of the tests has a thousand of them. The forked
one has the same arguments, environment, limits and pipes.
"""

import atexit
import contextlib
import functools
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from typing import Any

MODULE = "review_exports"
WIDTH = 12  # Of a number in the pipe.
KNOWN = {"stdin", "stdout", "stderr", "pass_fds", "env", "start_new_session"}


class Popen(subprocess.Popen):
    """`subprocess.Popen`, but for readers of exports."""

    def __new__(cls, command: Any, *arguments: Any, **options: Any) -> Any:
        """Fork a reader; start anything else."""
        is_reader = list(command[1:3]) == ["-m", MODULE] and not arguments
        if is_reader and options.keys() <= KNOWN and options.get("stdout") == subprocess.PIPE:
            return ForkedReader(command, **options)
        return super().__new__(cls)


class ForkedReader:
    """A reader with as much of `Popen` as its callers use."""

    def __init__(self, command: Any, *, stdin: Any, pass_fds: Any = (), env: Any, **_: Any) -> None:
        """Ask the process that forks for a reader, and wait for its id."""
        output, writing = os.pipe()
        self._status, telling = os.pipe()
        kept = [stdin.fileno(), writing, telling, *pass_fds]
        request = {"arguments": command[2:], "env": env, "numbers": list(pass_fds)}
        socket.send_fds(_forker(), [json.dumps(request).encode()], kept)
        os.close(writing)
        os.close(telling)
        self.stdout = os.fdopen(output, "rb")
        self.pid = int(os.read(self._status, WIDTH))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        if self._ended(timeout) is None:
            raise subprocess.TimeoutExpired(MODULE, timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], timeout)[0]:
            self.returncode = int(os.read(self._status, WIDTH) or -signal.SIGKILL)
            os.close(self._status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # It ends at this very moment.
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    terminate = kill


@functools.cache
def _forker() -> socket.socket:
    """The socket of the process that forks; it ends with this one."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    its.set_inheritable(True)
    command = [sys.executable, "-m", "tests.readers", str(its.fileno())]
    os.posix_spawn(sys.executable, command, os.environ)  # It ends with its socket.
    its.close()
    atexit.register(ours.close)
    return ours


def serve(descriptor: int) -> None:
    """Fork a reader for each request until the other side is closed."""
    __import__(MODULE)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    requests = socket.socket(fileno=descriptor)
    while True:
        request, descriptors, *_ = socket.recv_fds(requests, 1 << 20, 16)
        if not request:
            return
        if os.fork() == 0:
            requests.close()
            _run_and_tell(json.loads(request), *descriptors)
        for each in descriptors:
            os.close(each)


def _run_and_tell(request: Any, stdin: int, stdout: int, telling: int, *others: int) -> None:
    """Run the reader in a child, and write its id and then its status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    reader = os.fork()
    if reader == 0:
        os.setsid()
        os.close(telling)
        copies = [os.dup(each) for each in others]  # Their numbers may be taken meanwhile.
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        for copy, number in zip(copies, request["numbers"], strict=True):
            os.dup2(copy, number)
        os.environ.clear()
        os.environ.update(request["env"])
        sys.argv = request["arguments"]
        runpy.run_module(MODULE, run_name="__main__", alter_sys=True)
        os._exit(0)
    for each in (stdin, stdout, *others):
        os.close(each)
    os.write(telling, f"{reader:{WIDTH}}".encode())
    _, status = os.waitpid(reader, 0)
    os.write(telling, f"{os.waitstatus_to_exitcode(status):{WIDTH}}".encode())
    os._exit(0)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
