"""Children are shown, restarted, given up and stopped; none survives its supervisor."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from config.run import supervisor, watchdog
from config.run.supervisor import PrefixedOutput, Supervisor
from tests.processes import ROOT
from tests.waiting import eventually

SLEEP = "import time; print('up', flush=True); time.sleep(60)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True);"
    "time.sleep(60)"
)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"  # A zombie has ended.


@pytest.fixture
def out():
    return io.StringIO()


@pytest.fixture
def output(out):
    return PrefixedOutput(out, width=6, coloured=False)


def stop_when(out: io.StringIO, text: str, number: int = signal.SIGTERM) -> Callable[[], None]:
    def on_tick() -> None:
        if text in out.getvalue():
            os.kill(os.getpid(), number)

    return on_tick


def test_signal_stops_all_children_and_counts_as_success(out, output):
    children = Supervisor({"one": python(SLEEP), "two": python(SLEEP)}, output)

    code = children.run(stop_when(out, "two    | up"))

    assert code == 0
    assert "one    | up\n" in out.getvalue()
    assert out.getvalue().endswith("up     | Stopping.\n")
    assert all(child.has_ended() for child in children._children)


@pytest.fixture
def hangup():
    """Says what a hangup does from now on, whatever it does to the tests themselves."""
    before = signal.getsignal(signal.SIGHUP)
    yield lambda what: signal.signal(signal.SIGHUP, what)
    signal.signal(signal.SIGHUP, before)


def test_terminal_that_closes_stops_all_children(hangup, out, output):
    hangup(signal.SIG_DFL)
    children = Supervisor({"one": python(SLEEP)}, output)

    assert children.run(stop_when(out, "one    | up", signal.SIGHUP)) == 0
    assert all(child.has_ended() for child in children._children)


def test_terminal_that_closes_stops_nothing_under_nohup(hangup, out, output):
    hangup(signal.SIG_IGN)
    started = python("import os, signal; os.kill(os.getppid(), signal.SIGHUP); exit(7)")
    children = Supervisor({"one": started}, output)

    assert children.run(stop_when(out, "exit code 7")) == 0
    assert "one has ended (exit code 7); it is started again." in out.getvalue()


def test_child_that_will_not_stop_is_killed(monkeypatch, out, output):
    monkeypatch.setattr(supervisor, "STOP_SECONDS", 0.3)
    children = Supervisor({"one": python(STUBBORN)}, output)

    assert children.run(stop_when(out, "one    | up")) == 0
    assert all(child.has_ended() for child in children._children)


def test_child_that_dies_is_started_again(out, output, tmp_path):
    mark = f"import pathlib; f = pathlib.Path({str(tmp_path / 'mark')!r}); ok = f.exists();"
    child = python(f"{mark} f.touch(); print('again' if ok else 'once'); ok or exit(3); {SLEEP}")

    assert Supervisor({"one": child}, output).run(stop_when(out, "one    | again")) == 0
    assert "up     | one has ended (exit code 3); it is started again.\n" in out.getvalue()


def test_oneshot_that_ends_is_not_started_again(out, output):
    commands = {"done": python("print('ran')"), "bad": python("exit(5)"), "one": python(SLEEP)}
    children = Supervisor(commands, output, oneshot={"done", "bad"})

    assert children.run(stop_when(out, "one    | up")) == 0
    assert out.getvalue().count("done   | ran\n") == 1
    assert "done has ended" not in out.getvalue()
    assert out.getvalue().count("bad has ended (exit code 5); it is not started again.") == 1


def test_child_that_dies_three_times_within_a_minute_ends_everything(out, output):
    children = Supervisor({"good": python(SLEEP), "bad": python("exit(4)")}, output)

    assert children.run(lambda: None) == 1
    assert out.getvalue().count("bad has ended (exit code 4)") == 3
    assert (
        "up     | bad has ended (exit code 4) for the third time within a minute. Its lines above "
        "say why. Everything stops.\n"
    ) in out.getvalue()
    assert all(child.has_ended() for child in children._children)


def test_no_process_survives_a_killed_supervisor(tmp_path):
    grandchild = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {SLEEP!r}]);"
    child = f"{grandchild} print('pids', __import__('os').getpid(), p.pid, flush=True); p.wait()"
    script = (
        "import sys; from config.run.supervisor import PrefixedOutput, Supervisor;"
        f"Supervisor({{'one': [sys.executable, '-c', {child!r}]}},"
        " PrefixedOutput(sys.stdout, width=3, coloured=False)).run(lambda: None)"
    )
    parent = subprocess.Popen(python(script), cwd=ROOT, stdout=subprocess.PIPE, text=True)
    pids = [int(word) for word in parent.stdout.readline().split("pids")[1].split()]

    parent.kill()
    parent.wait()
    parent.stdout.close()

    eventually(lambda: not any(is_alive(pid) for pid in pids))


def test_watchdog_kills_what_ignores_a_polite_signal(monkeypatch):
    monkeypatch.setattr(watchdog, "GRACE_SECONDS", 0.3)
    child = subprocess.Popen(
        python(STUBBORN), stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    child.stdout.readline()

    watchdog.end({child.pid})

    assert child.wait() == -signal.SIGKILL
    child.stdout.close()


def test_closed_output_stops_all_processes(output, out):
    children = Supervisor({"one": python(SLEEP)}, output)

    def on_tick() -> None:
        if "one" in (out.getvalue() if not out.closed else ""):
            out.close()
            output.write("Nobody hears this.")

    assert children.run(on_tick) == 0


def test_letters_that_a_terminal_lacks_are_replaced_and_stop_nothing():
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    output = PrefixedOutput(terminal, width=3, coloured=False)

    output.write("Imported Zoë's ★.csv", "web")

    assert output.is_open
    assert terminal.buffer.getvalue() == b"web | Imported Zo?'s ?.csv\n"


def test_colour_is_for_terminals_without_no_color(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert supervisor.wants_colour(Terminal())
    assert not supervisor.wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not supervisor.wants_colour(Terminal())


def test_coloured_prefix_ends_before_the_text(out):
    PrefixedOutput(out, width=3, coloured=True).write("two\nlines", "web", "36")

    assert out.getvalue() == "\033[36mweb |\033[0m two\n\033[36mweb |\033[0m lines\n"
