"""Processes are shown, restarted and ended by their supervisor, and do not survive it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.processes import GOOD, ROOT, environment
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

SCRIPT = """
import os, pathlib, signal, subprocess, sys, time
from config import run
from config.run import Child, Supervisor

def live():
    print("pid", os.getpid())
    time.sleep(600)

def parent():
    grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    print("pid", grandchild.pid)
    live()

def stubborn():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    live()

def die():
    raise SystemExit(4)

run.BACKOFF_SECONDS, run.MAX_BACKOFF_SECONDS, run.STOP_SECONDS = 0.05, 0.2, 1.0
run.ORPHAN_SECONDS = 0.5
"""


class Running:
    """A supervisor in its own process, and its output so far."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def lines(self) -> list[str]:
        return self._log.read_text(encoding="utf-8").splitlines()

    def pids(self, name: str = "one") -> list[int]:
        begin = f"{name:<6} | pid "
        return [int(line.removeprefix(begin)) for line in self.lines if line.startswith(begin)]

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=20)


@contextmanager
def supervising(folder: Path, code: str, **values: str) -> Iterator[Running]:
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", f"{SCRIPT}\n{code}"],
            cwd=ROOT,
            env=environment(folder, **GOOD, **values),
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    running = Running(process, log)
    try:
        yield running
    finally:
        if process.poll() is None:
            running.stop()


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"  # A zombie process has ended.


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal_ends_all_processes_and_counts_as_success(tmp_path, number):
    code = "Supervisor(Child('one', parent), Child('two', live)).run()"
    with supervising(tmp_path, code) as running:
        wait_until(lambda: len(running.pids()) == 2 and running.pids("two"))
        pids = running.pids() + running.pids("two")

        assert running.stop(number) == 0

    assert running.lines[-1] == "up     | Stopping."
    assert not any(map(is_alive, pids))


def test_closed_terminal_ends_nothing_under_nohup(tmp_path):
    code = "signal.signal(signal.SIGHUP, signal.SIG_IGN); Supervisor(Child('one', live)).run()"
    with supervising(tmp_path, code) as running:
        wait_until(running.pids)
        running.process.send_signal(signal.SIGHUP)
        os.kill(running.pids()[0], signal.SIGKILL)

        wait_until(lambda: len(running.pids()) == 2)
        assert running.stop() == 0


def test_process_that_ignores_signal_is_killed(tmp_path):
    with supervising(tmp_path, "Supervisor(Child('one', stubborn)).run()") as running:
        wait_until(running.pids)

        assert running.stop() == 0

    assert not is_alive(running.pids()[0])


def test_dead_process_is_restarted_with_growing_delay(tmp_path):
    code = """
run.BACKOFF_SECONDS, run.MAX_BACKOFF_SECONDS = 0.25, 2.0
Supervisor(Child("one", live), Child("bad", die)).run()
"""
    with supervising(tmp_path, code) as running:
        wait_until(lambda: len([line for line in running.lines if "bad has ended" in line]) >= 5)
        assert is_alive(running.pids()[0])
        running.stop()

    messages = [line for line in running.lines if "bad has ended" in line][:5]
    again = "up     | bad has ended (exit code 4); it is started again in {} s."
    assert messages == [
        again.format("0.25"),
        *(f"{again.format(wait)} Its lines above say why." for wait in (0.5, 1, 2, 2)),
    ]
    assert len(running.pids()) == 1


def test_no_process_survives_a_killed_supervisor(tmp_path):
    code = "Supervisor(Child('one', parent), Child('two', stubborn)).run()"
    with supervising(tmp_path, code) as running:
        wait_until(lambda: len(running.pids()) == 2 and running.pids("two"))
        running.process.kill()
        running.process.wait()

        wait_until(lambda: not any(map(is_alive, running.pids() + running.pids("two"))))


def test_closed_output_ends_all_processes(tmp_path):
    code = "Supervisor(Child('one', live), Child('bad', die)).run()"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{SCRIPT}\n{code}"],
        cwd=ROOT,
        env=environment(tmp_path, **GOOD),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # The end of the other process may be reported first.
    words = (line.split()[-1] for line in process.stdout)
    pid = next(int(word) for word in words if word.isdigit())

    process.stdout.close()

    assert process.wait(timeout=20) == 0
    assert process.stderr.read() == ""
    process.stderr.close()
    assert not is_alive(pid)


def test_output_is_shown_in_whole_lines_with_unencodable_characters_replaced(tmp_path):
    code = r"""
def talk():
    os.write(1, "Imported Zo\u00eb's \u2605.csv\nand the r".encode())
    time.sleep(0.5)
    os.write(1, b"est")
Supervisor(Child("web", talk)).run()
"""
    with supervising(tmp_path, code, PYTHONIOENCODING="ascii") as running:
        wait_until(lambda: any("has ended" in line for line in running.lines))
        running.stop()

    assert running.lines[:2] == ["web    | Imported Zo?'s ?.csv", "web    | and the rest"]
