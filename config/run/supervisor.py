"""Run a few processes as one: prefix their output, restart one that dies, stop them together.

`manage.py up` replaces itself with this file run as a script, which needs a tenth of the memory of
a process with Django. So it imports the standard library alone.
"""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import IO, NoReturn, TextIO
from urllib.parse import urlsplit

WATCHDOG = Path(__file__).with_name("watchdog.py")

DEATHS_ALLOWED = 3
DEATHS_WINDOW_SECONDS = 60.0
STOP_SECONDS = 7.0  # Then what is left is killed; Ctrl-C ends everything within ten seconds.
DRAIN_SECONDS = 1.0
TICK_SECONDS = 0.1
SLOW_START_SECONDS = 60.0
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STAGGER_SECONDS = 0.4  # The first child, which answers requests, has the processors for itself.

OUTPUT_WIDTH = 6  # Of the names of processes.
COLOURS = ("36", "33", "35", "32")


class PrefixedOutput:
    """Whole lines on standard output, each after the coloured name of its process."""

    def __init__(self, out: TextIO, width: int, *, coloured: bool) -> None:
        self._out = out
        self._width = width
        self._coloured = coloured
        self._lock = threading.Lock()
        self.is_open = True

    def write(self, text: str, name: str = "up", colour: str = "1") -> None:
        prefix = f"{name:<{self._width}} |"
        if self._coloured:
            prefix = f"\033[{colour}m{prefix}\033[0m"
        # A terminal that lacks a letter shows the rest.
        encoding = self._out.encoding or "utf-8"
        text = text.encode(encoding, "replace").decode(encoding)
        with self._lock:
            try:
                for line in text.splitlines() or [""]:
                    self._out.write(f"{prefix} {line}\n")
                self._out.flush()
            except (OSError, ValueError):
                self.is_open = False  # The terminal or the pipe is gone.


def wants_colour(out: IO[str]) -> bool:
    """Tell whether to colour: on a terminal without NO_COLOR (no-color.org)."""
    return out.isatty() and not os.environ.get("NO_COLOR")


class Child:
    """A process that runs until the end, or a oneshot that ends by itself."""

    def __init__(
        self, name: str, command: Sequence[str], colour: str, output: PrefixedOutput, delay: float
    ) -> None:
        self.name = name
        self.command = command
        self._colour = colour
        self._output = output
        self._deaths: deque[float] = deque(maxlen=DEATHS_ALLOWED)
        self._process: subprocess.Popen[str] | None = None
        self._not_before = time.monotonic() + delay

    def start_if_due(self) -> int | None:
        """Return the id of the new process and its group, or None when it is not time yet."""
        if self._process or time.monotonic() < self._not_before:
            return None
        self._process = subprocess.Popen(  # noqa: S603  (our own commands)
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # So that Ctrl-C reaches us alone, and its group can be ended.
        )
        self._reader = threading.Thread(
            target=self._forward, args=(self._process.stdout,), daemon=True
        )
        self._reader.start()
        return self._process.pid

    def _forward(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self._output.write(line, self.name, self._colour)

    def reap(self) -> tuple[int, int] | None:
        """Return the id and exit code of a process that has ended."""
        if not self._process or (code := self._process.poll()) is None:
            return None
        pid = self._process.pid
        self.kill()
        self._deaths.append(time.monotonic())
        self._not_before = time.monotonic() + 0.5 * 2 ** len(self._deaths)
        return pid, code

    def dies_too_often(self) -> bool:
        is_full = len(self._deaths) == DEATHS_ALLOWED
        return is_full and self._deaths[-1] - self._deaths[0] <= DEATHS_WINDOW_SECONDS

    def terminate(self) -> None:
        # The process alone: Celery and granian end their own processes in good order.
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    def kill(self) -> None:
        """Kill the process and its group, and write the rest of its output."""
        if self._process:
            _signal_group(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._reader.join(DRAIN_SECONDS)
            self._process = None

    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None


def _signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


class Supervisor:
    """Runs commands until a signal, a closed output, or a child that dies too often."""

    def __init__(
        self,
        commands: dict[str, Sequence[str]],
        output: PrefixedOutput,
        oneshot: Collection[str] = (),
    ) -> None:
        """`oneshot` names the commands that may end; none of them is started again."""
        self._output = output
        self._oneshot = oneshot
        self._children = [
            Child(
                name, command, COLOURS[position % len(COLOURS)], output, position * STAGGER_SECONDS
            )
            for position, (name, command) in enumerate(commands.items())
        ]
        self._signals = 0

    def run(self, on_tick: Callable[[], None]) -> int:
        """Run until a signal (exit code 0), or until a child dies too often (1)."""
        with self._stopping_on_signals(), _watchdog() as tell_watchdog:
            try:
                return self._watch(on_tick, tell_watchdog)
            finally:
                self._stop()
                tell_watchdog("done")

    def _watch(self, on_tick: Callable[[], None], tell_watchdog: Callable[[str], None]) -> int:
        while not self._signals and self._output.is_open:
            for child in self._children.copy():
                if ended := child.reap():
                    pid, code = ended
                    tell_watchdog(f"-{pid}")
                    how = f"{child.name} has ended ({_how(code)})"
                    if child.name in self._oneshot:
                        self._children.remove(child)
                        if code:
                            self._output.write(f"{how}; it is not started again.")
                        continue
                    if child.dies_too_often():
                        self._output.write(
                            f"{how} for the third time within a minute. Its lines above say "
                            "why. Everything stops."
                        )
                        return 1
                    self._output.write(f"{how}; it is started again.")
                if started := child.start_if_due():
                    tell_watchdog(f"+{started}")
            on_tick()
            time.sleep(TICK_SECONDS)
        return 0

    def _stop(self) -> None:
        """Terminate all, wait unless there is a second signal, kill what is left."""
        self._output.write("Stopping.")
        signals = self._signals
        for child in self._children:
            child.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while time.monotonic() < deadline and self._signals <= max(signals, 1):
            if all(child.has_ended() for child in self._children):
                break
            time.sleep(TICK_SECONDS)
        for child in self._children:
            child.kill()

    @contextmanager
    def _stopping_on_signals(self) -> Iterator[None]:
        def count(number: int, frame: FrameType | None) -> None:
            self._signals += 1

        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # `nohup` means to go on.
            numbers.append(signal.SIGHUP)
        before = [signal.signal(number, count) for number in numbers]
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)  # `replace_process` blocked them.
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


def _how(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


@contextmanager
def _watchdog() -> Iterator[Callable[[str], None]]:
    process = subprocess.Popen(  # noqa: S603  (our own script)
        [sys.executable, "-I", "-S", str(WATCHDOG)],
        stdin=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    pipe = process.stdin
    assert pipe is not None  # noqa: S101  (PIPE above)

    def tell(line: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            pipe.write(f"{line}\n")
            pipe.flush()

    try:
        yield tell
    finally:
        with contextlib.suppress(BrokenPipeError):
            pipe.close()
        process.wait()


# --- The process of `manage.py up` ----------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """The commands to run, and the lines to write once the service is ready."""

    commands: dict[str, Sequence[str]]
    oneshot: Sequence[str]
    url: str
    ready_lines: Sequence[str]


def replace_process(plan: Plan) -> NoReturn:
    """Become a supervisor that runs `plan`, with the same id, environment and open files."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # Until the supervisor handles them.
    sys.stdout.flush()
    script = [sys.executable, "-P", "-S", __file__, json.dumps(asdict(plan))]
    os.execv(sys.executable, script)  # noqa: S606  (our own script)


class ReadyMessage:
    """Writes the addresses once the service answers."""

    def __init__(self, url: str, lines: Sequence[str], output: PrefixedOutput) -> None:
        self._url = url
        self._lines = lines
        self._output = output
        self._started_at = time.monotonic()
        self._is_written = False
        self._has_warned = False

    def write_when_ready(self) -> None:
        if self._is_written:
            return
        if _is_ready(self._url):
            self._is_written = True
            for line in self._lines:
                self._output.write(line)
        elif not self._has_warned and time.monotonic() - self._started_at > SLOW_START_SECONDS:
            self._has_warned = True
            self._output.write(
                "Not ready after a minute. /readyz says what is missing; still trying."
            )


def _is_ready(url: str) -> bool:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def main() -> int:
    plan = Plan(**json.loads(sys.argv[1]))
    output = PrefixedOutput(sys.stdout, width=OUTPUT_WIDTH, coloured=wants_colour(sys.stdout))
    message = ReadyMessage(plan.url, plan.ready_lines, output)
    return Supervisor(plan.commands, output, plan.oneshot).run(message.write_when_ready)


if __name__ == "__main__":
    sys.exit(main())
