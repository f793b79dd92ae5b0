"""Web processes of one installation, as clients meet them."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.processes import ROOT, claimed_port, environment, manage
from tests.waiting import TIMEOUT_SECONDS


@contextmanager
def web_processes(
    state: Path, count: int = 1, *, application: str = "config.wsgi:application", **values: str
) -> Iterator[list[int]]:
    """Their ports. They share a database with the demo data and a secret key, and nothing else."""
    with ExitStack() as stack:
        ports = [stack.enter_context(claimed_port()) for _ in range(count)]
        base = {
            "SECRET_KEY": "k" * 50,
            "BASE_URL": f"http://127.0.0.1:{ports[0]}",
            "CELERY_BROKER_URL": "memory://",
            "GRANIAN_BLOCKING_THREADS": "4",  # As in the image.
        }
        env = environment(state, **(base | values))
        manage(
            ("migrate", "-v0"), ("make_demo", "--reviews", "312"), ("refresh_insights",), env=env
        )
        started = [
            (port, stack.enter_context(_process(application, port, env, state))) for port in ports
        ]
        for port, process in started:
            _wait_for(port, process, state)
        yield ports


@contextmanager
def _process(
    application: str, port: int, env: dict[str, str], state: Path
) -> Iterator[subprocess.Popen[bytes]]:
    server = f"-m granian --interface wsgi --port {port} --log-level error".split()
    server += ["--workers-kill-timeout", "5"]  # Now and then one misses the signal to stop.
    with _log(state, port).open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *server, application],
            cwd=ROOT,
            env=env,
            stdout=output,
            stderr=output,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


def _wait_for(port: int, process: subprocess.Popen[bytes], state: Path) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            is_starting = process.poll() is None and time.monotonic() < deadline
            assert is_starting, f"The web process ended: {_log(state, port).read_text()}"
            time.sleep(0.05)


def _log(state: Path, port: int) -> Path:
    return state / f"web-{port}.log"
