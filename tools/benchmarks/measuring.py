"""Run servers on one core and load on another, and measure CPU time per request."""

import contextlib
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVER_CORE, LOAD_CORE = "0", "1"
TICKS = os.sysconf("SC_CLK_TCK")
ROUNDS = 5


def require(*commands: str) -> None:
    """Exit with a message if a required program is missing."""
    missing = [command for command in commands if not find(command)]
    if missing:
        sys.exit(
            f"This benchmark needs {', '.join(missing)}; on Debian: apt install nginx-light wrk"
        )


def find(command: str) -> str | None:
    return shutil.which(command) or shutil.which(command, path="/usr/sbin:/sbin")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def installation(state: Path, **values: str) -> dict[str, str]:
    """Return environment variables of an installation with its data in `state`."""
    return {
        "PATH": os.environ["PATH"],
        "STATE_DIR": str(state),
        "SECRET_KEY": "benchmark-" + "k" * 50,
        "BASE_URL": "http://127.0.0.1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "CELERY_BROKER_URL": "memory://",
        "RATE_LIMIT_SEARCH": "",
        "LOG_LEVEL": "ERROR",
        **values,
    }


@contextlib.contextmanager
def running(
    command: Sequence[str], env: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command as a silent process group until the block ends."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)


@dataclass(slots=True)
class Server:
    name: str
    port: int
    process: subprocess.Popen[bytes]

    def cpu_seconds(self) -> float:
        """Return the CPU time of the process group since its start."""
        return sum(cpu_ticks(pid) for pid in _group(self.process.pid)) / TICKS

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


def _group(leader: int) -> list[int]:
    pids = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[2]) == leader:
                    pids.append(int(entry.name))
    return pids


def cpu_ticks(pid: int) -> int:
    """Return the CPU time of a process; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


@contextlib.contextmanager
def serving(
    name: str,
    command: Sequence[str],
    port: int,
    *,
    ready: str,
    env: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """Run a server on the servers' core, and wait until the path `ready` answers."""
    with running(["taskset", "-c", SERVER_CORE, *command], env) as process:
        server = Server(name, port, process)
        deadline = time.monotonic() + 60
        while True:
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"{name} has exited, or did not answer {ready} within a minute")
            with contextlib.suppress(OSError), urllib.request.urlopen(server.url(ready), timeout=2):
                break
            time.sleep(0.1)
        yield server


def response_headers(url: str, headers: Mapping[str, str]) -> Message:
    """Return the response headers of a GET, with case-insensitive names."""
    request = urllib.request.Request(url, headers=dict(headers))
    with urllib.request.urlopen(request) as response:
        found: Message = response.headers
        return found


@dataclass(frozen=True, slots=True)
class Round:
    rate: float  # Requests per second.
    cpu_us: float  # CPU microseconds of the server per request.
    errors: int


WRK = re.compile(r"(\d+) requests in ([\d.]+)s")


def load(
    server: Server,
    path: str,
    headers: Mapping[str, str],
    *,
    connections: int,
    seconds: int,
    script: Path | None = None,
) -> Round:
    """Run wrk once on the other core. Responses other than 2xx and 3xx are errors."""
    command = ["taskset", "-c", LOAD_CORE, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s"]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    if script is not None:
        command += ["-s", str(script)]
    before = server.cpu_seconds()
    output = subprocess.run(
        [*command, server.url(path)], check=True, capture_output=True, text=True
    ).stdout
    spent = server.cpu_seconds() - before
    found = WRK.search(output)
    assert found, output
    requests = int(found[1])
    errors = sum(int(n) for n in re.findall(r"Non-2xx or 3xx responses: (\d+)", output))
    return Round(requests / float(found[2]), spent / max(requests, 1) * 1e6, errors)


def alternate(subjects: Mapping[str, Callable[[], Round]]) -> dict[str, Round]:
    """Run all subjects in turn, `ROUNDS` times; return medians."""
    results: dict[str, list[Round]] = {name: [] for name in subjects}
    for _ in range(ROUNDS):
        for name, run in subjects.items():
            results[name].append(run())
    return {
        name: Round(
            statistics.median(r.rate for r in runs),
            statistics.median(r.cpu_us for r in runs),
            sum(r.errors for r in runs),
        )
        for name, runs in results.items()
    }


def table(heading: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format a Markdown table under a heading."""
    lines = [f"### {heading}", "", f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def compare(heading: str, what: str, results: Mapping[str, Round], goal: float) -> str:
    """Format a table of two servers, and whether the first is `goal` times as fast."""
    rows = [
        [server, f"{r.rate:,.0f}", f"{r.cpu_us:,.0f}", str(r.errors)]
        for server, r in results.items()
    ]
    ours, theirs = results.values()
    ratio = ours.rate / theirs.rate
    return (
        table(heading, ["server", f"{what} per second", "CPU µs each", "errors"], rows)
        + f"\nOurs against the other {ratio:.1f}: {verdict(ratio, goal, at_least=True)}.\n"
    )


def verdict(value: float, goal: float, *, at_least: bool) -> str:
    reached = value >= goal if at_least else value <= goal
    return f"{'reached' if reached else 'missed'} (goal {'>=' if at_least else '<='} {goal:g})"


def machine() -> str:
    cores = os.cpu_count()
    return f"{cores} cores, loopback, Python {sys.version.split()[0]}"
