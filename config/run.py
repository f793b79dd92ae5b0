"""Support of `manage.py up`: generated settings, the port, and supervision of forked processes."""

import argparse
import contextlib
import errno
import fcntl
import functools
import gc
import multiprocessing
import os
import secrets
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import IO, NoReturn

import environ

from config import env
from config.env import GIVEN, LOCAL_ENV, STATE_DIR, refuse
from core.logging import mask_secrets

# --- Generated settings, and the port -------------------------------------------------------------

DEFAULT_PORT = 8000
PORTS_TRIED = 100
GENERATED = ("SECRET_KEY", "BASE_URL")

_held: list[socket.socket | IO[str]] = []  # The claimed port, and the lock of the public address.


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    @property
    def url(self) -> str:
        """The URL at which this machine reaches the address."""
        host = "localhost" if self.host in env.EVERY_ADDRESS else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


def requested_port(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("manage.py up", add_help=False, allow_abbrev=False)
    parser.add_argument("--port", type=port_number, default=DEFAULT_PORT)
    return int(parser.parse_known_args(arguments)[0].port)


def port_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= 65_535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port. Give a number from 1 to 65535.")
    return int(text)


@functools.cache
def prepare(wanted: int) -> Address:
    """Claim a port, and store SECRET_KEY and BASE_URL in `local.env` if they are not set."""
    if _is_process_1():  # The kernel only delivers signals to process 1 that have a handler.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        STATE_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive(STATE_DIR / "local.lock"):
            address = _claim_address(os.environ.get("HOST", "").strip() or "127.0.0.1", wanted)
            # Another process may have written the file after `config.env` read it.
            environ.Env.read_env(LOCAL_ENV)
            os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(48))
            if "BASE_URL" not in GIVEN and (_lock_address() or "BASE_URL" not in os.environ):
                os.environ["BASE_URL"] = env.confirmed_address() or address.url
            _write_local_env({name: os.environ[name] for name in GENERATED if name not in GIVEN})
    except OSError as error:
        remedy = "Make the folder writable, or name another one in STATE_DIR."
        refuse("STATE_DIR", f"is {str(STATE_DIR)!r}, which cannot be written ({error})", remedy)
    return address


def restart() -> NoReturn:
    """Execute this command again, without the generated settings."""
    given = {name: os.environ[name] for name in os.environ if name not in {*GENERATED} - GIVEN}
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], given)  # noqa: S606


def _claim_address(name: str, wanted: int) -> Address:  # noqa: RET503  (`refuse` does not return)
    """Claim `wanted` or the next free port, so that no other start takes it meanwhile."""
    try:
        # The web server does not resolve names.
        family, *_, place = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        refuse("HOST", f"is {name!r}, which is not an address", "Set it like HOST=127.0.0.1.")
    host = str(place[0])
    for port in range(wanted, min(wanted + PORTS_TRIED, 65_536)):
        # First without SO_REUSEADDR: with it, two claims that do not listen yet would both succeed.
        # Then with it: old connections of a stopped server do not block the port.
        if _claim_port(family, host, port, reuse=0) or _claim_port(family, host, port, reuse=1):
            return Address(host, port)
    remedy = "Stop what runs there, or choose another port."
    refuse("--port", f"{wanted} is taken, and so are those after it", remedy)


def _claim_port(family: int, host: str, port: int, *, reuse: int) -> bool:
    claim = socket.socket(family, socket.SOCK_STREAM)
    claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, reuse)
    try:
        claim.bind((host, port))
    except OSError as error:
        claim.close()
        if error.errno in {errno.EACCES, errno.EPERM}:
            refuse("--port", f"{port} needs more rights than you have", "Choose one above 1023.")
        if error.errno != errno.EADDRINUSE:
            remedy = "Set it to an address of this machine."
            refuse("HOST", f"is {host!r} ({error.strerror})", remedy)
        return False
    if sys.platform == "linux":
        # Set after binding, so that the web server can bind the port too, but no other claim.
        claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        _held.append(claim)
    else:
        claim.close()
    return True


def _lock_address() -> bool:
    """Lock the public address for this process. Return False if another process holds it."""
    lock: IO[str] = (STATE_DIR / "address.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return False
    _held.append(lock)
    return True


def _write_local_env(values: dict[str, str]) -> None:
    lines = ["# Made by `make up`. The environment wins over this file."]
    text = "\n".join([*lines, *map("=".join, values.items())]) + "\n"
    if values and not (LOCAL_ENV.exists() and LOCAL_ENV.read_text(encoding="utf-8") == text):
        new = LOCAL_ENV.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(LOCAL_ENV)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Lock a file, so that one process at a time runs the block. The kernel frees the lock."""
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            write(f"Another start holds {path}; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- The processes --------------------------------------------------------------------------------

BACKOFF_SECONDS = 1.0  # Doubles with each consecutive failure.
MAX_BACKOFF_SECONDS = 60.0  # A process that has run for longer starts with the shortest wait again.
STOP_SECONDS = 7.0  # Then processes are killed, so that everything ends within ten seconds.
ORPHAN_SECONDS = 5.0  # The same for processes whose supervisor was killed.
TICK_SECONDS = 0.2
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WIDTH = 6  # Of the names of processes in the output.


def write(text: str, name: str = "up") -> None:
    """Write lines with the name of their process in front."""
    try:
        for line in mask_secrets(text).splitlines() or [""]:
            sys.stdout.write(f"{name:<{WIDTH}} | {line}\n")
        sys.stdout.flush()
    except OSError:  # The terminal or the pipe is gone.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        signal.raise_signal(signal.SIGTERM)


class Child:
    """A function that runs in a process of its own."""

    def __init__(self, name: str, run: Callable[[], object]) -> None:
        self.name = name
        self._run = run
        self._process: multiprocessing.Process | None = None
        self._failures = 0
        self._started_at = self._due_at = 0.0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.is_alive()

    @property
    def is_due(self) -> bool:
        return self._process is None and time.monotonic() >= self._due_at

    def start(self, supervisor_pipe: tuple[int, int]) -> int:
        """Start the process. Return the file descriptor of its output."""
        output, its_output = os.pipe()
        given = (its_output, supervisor_pipe)
        self._process = multiprocessing.Process(target=self._begin, args=given)
        self._process.start()
        os.close(its_output)
        self._started_at = time.monotonic()
        return output

    def _begin(self, output: int, supervisor_pipe: tuple[int, int]) -> None:
        os.setsid()  # Ctrl-C only reaches the supervisor, and the group can be killed.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        for standard in (1, 2):
            os.dup2(output, standard)
        os.close(supervisor_pipe[1])  # Then the pipe closes when the supervisor ends.
        watch = threading.Thread(target=_end_with_supervisor, args=supervisor_pipe[:1], daemon=True)
        watch.start()
        self._run()

    def reap(self) -> None:
        """Schedule the restart of a process that has ended."""
        if self._process is None or (code := self._process.exitcode) is None:
            return
        self.kill()
        has_lasted = time.monotonic() - self._started_at > MAX_BACKOFF_SECONDS
        self._failures = 1 if has_lasted else self._failures + 1
        wait = min(BACKOFF_SECONDS * 2 ** (self._failures - 1), MAX_BACKOFF_SECONDS)
        self._due_at = time.monotonic() + wait
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        advice = " Its lines above say why." if self._failures > 1 else ""
        write(f"{self.name} has ended ({how}); it is started again in {wait:g} s.{advice}")

    def terminate(self) -> None:
        # Not the group: Celery and granian end their own processes gracefully.
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        """Kill the process and its group."""
        if self._process is not None:
            _signal_group(self._process.pid or 0, signal.SIGKILL)
            self._process.join()
            self._process = None


def _end_with_supervisor(supervisor_pipe: int) -> None:
    """End this process and its group after the end of the supervisor."""
    os.read(supervisor_pipe, 1)
    _signal_group(os.getpid(), signal.SIGTERM)
    time.sleep(ORPHAN_SECONDS)
    _signal_group(os.getpid(), signal.SIGKILL)


def _signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _is_process_1() -> bool:
    """Whether this is the first process of a container, which inherits all orphans."""
    return os.getpid() == 1


class RestartNeeded(Exception):
    """The settings have changed, and all processes have to read them again."""


class Supervisor:
    """Run processes until a signal arrives. A process that ends is restarted with back-off."""

    def __init__(self, *children: Child) -> None:
        self._children = children
        self._outputs = selectors.DefaultSelector()
        self._pipe = os.pipe()
        self._signals = 0

    def run(self, on_tick: Callable[[], object] = lambda: None) -> None:
        if isinstance(sys.stdout, TextIOWrapper):  # A terminal may not encode all characters.
            sys.stdout.reconfigure(errors="replace", line_buffering=True)
        multiprocessing.set_start_method("fork", force=True)
        gc.collect()
        gc.freeze()  # Forked processes share the memory, as long as no collection writes to it.
        for number in SIGNALS:
            if signal.getsignal(number) != signal.SIG_IGN:  # `nohup` ignores SIGHUP.
                signal.signal(number, self._count_signal)
        try:
            while not self._signals:
                for child in self._children:
                    child.reap()
                    if child.is_due:
                        output = child.start(self._pipe)
                        self._outputs.register(output, selectors.EVENT_READ, [child.name, b""])
                self._forward(TICK_SECONDS)
                if _is_process_1():
                    self._reap_orphans()
                on_tick()
        finally:
            self._stop()

    def _reap_orphans(self) -> None:
        ours = {child.pid for child in self._children}
        with contextlib.suppress(ChildProcessError):
            # Peek first, since `multiprocessing` has to reap the processes that it started.
            peek = os.WEXITED | os.WNOHANG | os.WNOWAIT
            while (ended := os.waitid(os.P_ALL, 0, peek)) and ended.si_pid not in ours:
                os.waitpid(ended.si_pid, 0)

    def _count_signal(self, *_: object) -> None:
        self._signals += 1

    def _forward(self, seconds: float) -> bool:
        """Write the output that arrives within this time. Return False if there was none."""
        ready = self._outputs.select(seconds)
        for key, _ in ready:
            output = os.read(key.fd, 65_536)
            *lines, rest = (key.data[1] + (output or b"\n")).split(b"\n")
            key.data[1] = rest
            if not output:
                self._outputs.unregister(key.fd)
                os.close(key.fd)
                lines = [line for line in lines if line]
            for line in lines:
                write(line.decode(errors="replace"), key.data[0])
        return bool(ready)

    def _stop(self) -> None:
        """Terminate all processes, and kill them after a while or a second signal."""
        write("Stopping.")
        signals = max(self._signals, 1)
        for child in self._children:
            child.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while any(child.is_running for child in self._children):
            if time.monotonic() > deadline or self._signals > signals:
                break
            self._forward(TICK_SECONDS)
        for child in self._children:
            child.kill()
        while self._outputs.get_map() and self._forward(0):
            pass  # Write the remaining output.
