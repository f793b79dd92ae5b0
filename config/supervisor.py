"""Runs a few processes as one: shows what they say, restarts one that dies, stops them together."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, TextIO

WATCHDOG = Path(__file__).with_name("watchdog.py")

DEATHS_ALLOWED = 3
DEATHS_WINDOW_SECONDS = 60.0
STOP_SECONDS = 7.0  # Then what is left is killed; Ctrl-C promises an end within ten seconds.
LAST_WORDS_SECONDS = 1.0
TICK_SECONDS = 0.1
STAGGER_SECONDS = 0.4  # The first child, which answers requests, has the processors for itself.

COLOURS = ("36", "33", "35", "32")


class Voice:
    """Whole lines on standard output, each with the coloured name of who says it."""

    def __init__(self, out: TextIO, width: int, *, coloured: bool) -> None:
        self._out = out
        self._width = width
        self._coloured = coloured
        self._lock = threading.Lock()
        self.is_heard = True

    def say(self, text: str, name: str = "up", colour: str = "1") -> None:
        prefix = f"{name:<{self._width}} |"
        if self._coloured:
            prefix = f"\033[{colour}m{prefix}\033[0m"
        # A terminal that lacks a letter hears the rest; it is not gone.
        encoding = self._out.encoding or "utf-8"
        text = text.encode(encoding, "replace").decode(encoding)
        with self._lock:
            try:
                for line in text.splitlines() or [""]:
                    self._out.write(f"{prefix} {line}\n")
                self._out.flush()
            except (OSError, ValueError):
                self.is_heard = False  # The terminal or the pipe is gone.


def wants_colour(out: IO[str]) -> bool:
    """Only on a terminal, and not with NO_COLOR (no-color.org)."""
    return out.isatty() and not os.environ.get("NO_COLOR")


class Child:
    """One process that should always run, or an errand that ends by itself."""

    def __init__(
        self, name: str, command: Sequence[str], colour: str, voice: Voice, delay: float
    ) -> None:
        self.name = name
        self.command = command
        self._colour = colour
        self._voice = voice
        self._deaths: deque[float] = deque(maxlen=DEATHS_ALLOWED)
        self._process: subprocess.Popen[str] | None = None
        self._not_before = time.monotonic() + delay

    def start_if_due(self) -> int | None:
        """The new process's id, which is its group's too, or None when it is not time yet."""
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
            target=self._repeat, args=(self._process.stdout,), daemon=True
        )
        self._reader.start()
        return self._process.pid

    def _repeat(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self._voice.say(line, self.name, self._colour)

    def reap(self) -> tuple[int, int] | None:
        """The id and exit code of a process that has ended since."""
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

    def ask_to_stop(self) -> None:
        # The process alone: Celery and granian end their own processes in good order.
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    def kill(self) -> None:
        """End it and whatever it started, once its last words are shown."""
        if self._process:
            _signal_group(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._reader.join(LAST_WORDS_SECONDS)
            self._process = None

    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None


def _signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


class Supervisor:
    def __init__(
        self, commands: dict[str, Sequence[str]], voice: Voice, errands: Collection[str] = ()
    ) -> None:
        """`errands` names the commands that may end; none of them is started again."""
        self._voice = voice
        self._errands = errands
        self._children = [
            Child(
                name, command, COLOURS[position % len(COLOURS)], voice, position * STAGGER_SECONDS
            )
            for position, (name, command) in enumerate(commands.items())
        ]
        self._signals = 0

    def run(self, on_tick: Callable[[], None]) -> int:
        """Run until asked to stop (0), or until a child dies too often (1)."""
        with self._stopping_on_signals(), _watchdog() as tell_watchdog:
            try:
                return self._watch(on_tick, tell_watchdog)
            finally:
                self._stop()
                tell_watchdog("done")

    def _watch(self, on_tick: Callable[[], None], tell_watchdog: Callable[[str], None]) -> int:
        while not self._signals and self._voice.is_heard:
            for child in self._children.copy():
                if ended := child.reap():
                    pid, code = ended
                    tell_watchdog(f"-{pid}")
                    how = f"{child.name} has ended ({_how(code)})"
                    if child.name in self._errands:
                        self._children.remove(child)
                        if code:
                            self._voice.say(f"{how}; it is not started again.")
                        continue
                    if child.dies_too_often():
                        self._voice.say(
                            f"{how} for the third time within a minute. Its lines above say "
                            "why. Everything stops."
                        )
                        return 1
                    self._voice.say(f"{how}; it is started again.")
                if started := child.start_if_due():
                    tell_watchdog(f"+{started}")
            on_tick()
            time.sleep(TICK_SECONDS)
        return 0

    def _stop(self) -> None:
        """Ask all at once, wait a few seconds (a second signal does not), end what is left."""
        self._voice.say("Stopping.")
        signals = self._signals
        for child in self._children:
            child.ask_to_stop()
        deadline = time.monotonic() + STOP_SECONDS
        while time.monotonic() < deadline and self._signals <= max(signals, 1):
            if all(child.has_ended() for child in self._children):
                break
            time.sleep(TICK_SECONDS)
        for child in self._children:
            child.kill()

    @contextmanager
    def _stopping_on_signals(self) -> Iterator[None]:
        def note(number: int, frame: FrameType | None) -> None:
            self._signals += 1

        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # `nohup` means to go on.
            numbers.append(signal.SIGHUP)
        before = [signal.signal(number, note) for number in numbers]
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
    assert pipe is not None  # noqa: S101  (asked for above)

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
