"""Start the project's entry points in processes with a given environment, as an operator does."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.waiting import TIMEOUT_SECONDS

ROOT = Path(__file__).resolve().parent.parent

OURS = set(
    (
        "ALLOWED_HOSTS BASE_URL CACHE_MAX_AGE_SECONDS CELERY_BROKER_URL DATABASE_URL DEBUG "
        "DJANGO_SETTINGS_MODULE GRANIAN_BLOCKING_THREADS HOST LOG_FORMAT LOG_LEVEL "
        "MAX_UNSENT_BYTES METRICS_LISTEN METRICS_TOKEN MCP_ALLOWED_ORIGINS MCP_REQUIRE_SESSION "
        "MCP_SESSION_SECONDS REDIS_URL SECRET_KEY STATE_DIR WEB_WORKERS WRITE_TIMEOUT_SECONDS"
    ).split()
)


# Settings that a local installation requires.
GOOD = {"SECRET_KEY": "k" * 50, "BASE_URL": "http://127.0.0.1:8000"}


@contextmanager
def reserved_port() -> Iterator[int]:
    """Reserve a free port of this machine.

    Linux gives it to no other process until the web process binds it, some seconds later.
    """
    with socket.socket() as claim:
        claim.bind(("127.0.0.1", 0))
        port: int = claim.getsockname()[1]
        if sys.platform == "linux":
            claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        else:
            claim.close()
        yield port


def environment(state_dir: Path, **values: str) -> dict[str, str]:
    """Return the environment of this process without the project's own settings."""
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    rates = dict.fromkeys(("RATE_LIMIT_SEARCH", "RATE_LIMIT_MCP", "RATE_LIMIT_HUB"), "")
    return {**kept, **rates, "STATE_DIR": str(state_dir), **values}


MANAGE = """
import json, sys
from importlib import import_module
import django
django.setup()
from django.core.management import call_command
for name, *arguments in json.loads(sys.argv[1]):
    if name.startswith("tools."):
        import_module(f"{name}.__main__").main(arguments)
    else:
        call_command(name, *arguments)
"""


def manage(*commands: tuple[str, ...], env: dict[str, str]) -> None:
    """Run commands in one process, since starting one costs more than most commands.

    Commands of `tools` are given by module.
    """
    done = run(
        "-c", MANAGE, json.dumps(commands), env={**env, "DJANGO_SETTINGS_MODULE": "config.settings"}
    )
    assert done.returncode == 0, done.stderr


@contextmanager
def python_process(
    *command: str, env: dict[str, str], log: Path, **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Python process until the block ends. Append its output to a file."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=env, stdout=output, stderr=output, **options
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


def run(*command: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,  # No command takes this long, even on a busy machine.
        check=False,
    )
