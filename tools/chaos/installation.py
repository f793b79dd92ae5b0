"""One installation as in production: web servers, workers, scheduler, database and broker."""

import contextlib
import hashlib
import json
import os
import secrets
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tools.benchmarks.measuring import ROOT, free_port
from tools.chaos.editor import CRASH_EXIT_CODE
from tools.chaos.processes import (
    ChaosError,
    ManagedProcess,
    PostgreSQL,
    RabbitMQ,
    Redis,
    Supervisor,
    is_listening,
    wait_for,
)
from tools.chaos.sink import Subscriber

REPLACED = (
    "DATABASE_URL",
    "REDIS_URL",
    "CELERY_BROKER_URL",
    "DJANGO_SETTINGS_MODULE",
    "ALLOWED_HOSTS",
)
LIMITS = ("SEARCH", "MCP", "HUB", "VERIFY")
WORKERS = ("worker", "second-worker", "third-worker")


class Installation:
    """Processes of an installation; `kind` names database and broker, `given` further settings."""

    def __init__(
        self,
        supervisor: Supervisor,
        state: Path,
        bundle: Path,
        kind: tuple[str, str],
        *,
        webs: int = 1,
        given: Mapping[str, str] | None = None,
    ) -> None:
        database, broker = kind
        self.ports = [free_port() for _ in range(webs)]
        self._state = state
        self.postgresql = PostgreSQL(supervisor) if database == "postgres" else None
        self.redis = Redis(supervisor) if broker == "redis" else None
        self.rabbitmq = RabbitMQ(supervisor) if broker == "rabbitmq" else None
        self.base_url = f"http://localhost:{self.ports[0]}"
        self.topic = f"{self.base_url}/api/feed.json"
        self._env = self._environment(bundle) | dict(given or {})
        python = [sys.executable, "-m"]
        web = [*python, "granian", "config.wsgi:application", "--interface", "wsgi", "--no-ws"]
        web += ["--host", "127.0.0.1", "--http", "1", "--blocking-threads", "4"]
        web += ["--backpressure", "512", "--workers-kill-timeout", "5"]
        celery = [*python, "celery", "-A", "config", "-q"]
        self.webs = [
            supervisor.add(f"web-{number}", [*web, "--port", str(port)], self._env)
            for number, port in enumerate(self.ports, start=1)
        ]
        self.workers = [
            supervisor.add(name, [*celery, "worker", "-n", f"{name}@%h"], self._env)
            for name in WORKERS
        ]
        self.beat = supervisor.add("beat", [*celery, "beat"], self._env)
        self._editor = supervisor.add("editor", [*python, "tools.chaos.editor"], self._env)

    @property
    def broker(self) -> Redis | RabbitMQ | None:
        return self.redis or self.rabbitmq

    def _environment(self, bundle: Path) -> dict[str, str]:
        given = {
            "SECRET_KEY": secrets.token_urlsafe(48),
            "BASE_URL": self.base_url,
            "STATE_DIR": str(self._state),
            "WEBSUB_ALLOWED_NETWORKS": "127.0.0.0/8",
            "WEBSUB_CA_BUNDLE": str(bundle),
            "WEBSUB_MAX_PER_HOST": "0",
            "WEBSUB_RETRY_SECONDS": "2,4",
            "DATABASE_URL": self.postgresql.url if self.postgresql else "",
            "REDIS_URL": self.redis.url if self.redis else "",
            "CELERY_BROKER_URL": self.rabbitmq.url if self.rabbitmq else "",
            **{f"RATE_LIMIT_{name}": "" for name in LIMITS},
        }
        return {name: value for name, value in os.environ.items() if name not in REPLACED} | given

    # --- Running ---

    def prepare(self) -> None:
        """Create the database's tables."""
        self._start_servers()
        self.manage("migrate", "--skip-checks", "--verbosity", "0")

    def manage(self, *command: str, **env: str) -> None:
        self.run("manage.py", *command, **env)

    def run(self, *command: str, **env: str) -> None:
        command = (sys.executable, *command)
        subprocess.run(
            command, cwd=ROOT, env=self._env | env, check=True, stdout=subprocess.DEVNULL
        )

    def start(self, workers: int = 1) -> None:
        """Start all processes that do not run, and wait until the installation is ready."""
        self._start_servers()
        for process in (*self.webs, *self.workers[:workers], self.beat, self._editor):
            process.start()
        for port in self.ports:
            self.wait_for_web(port)
        wait_for("Heartbeats of worker and scheduler", self._is_ready, 60, pause=0.3)

    def _start_servers(self) -> None:
        for server in (self.postgresql, self.broker):
            if server:
                server.start()

    def wait_for_web(self, port: int) -> None:
        wait_for(f"The web server at {port} listening", lambda: is_listening(port), 40)

    def _is_ready(self) -> bool:
        with contextlib.suppress(OSError):
            state = json.loads(self._request("/readyz"))
            return bool(state["worker"] == state["scheduler"] == "ok")
        return False

    def restart(self, process: ManagedProcess) -> None:
        """Kill a process with SIGKILL and start it again a second later."""
        process.kill()
        time.sleep(1)
        process.start()

    def _request(self, path: str, body: bytes | None = None) -> bytes:
        with urllib.request.urlopen(f"{self.base_url}{path}", body, timeout=20) as response:
            answer: bytes = response.read()
            return answer

    def digest(self) -> str:
        """Return the digest of the topic's current content."""
        return hashlib.sha256(self._request("/api/feed.json")).hexdigest()

    @contextlib.contextmanager
    def without_messages(self, seconds: float) -> Iterator[None]:
        """Lose all messages: the broker restarts empty, or message files are deleted."""
        stop = threading.Event()
        thread = threading.Thread(target=self._delete_messages, args=(stop,), daemon=True)
        if self.broker:
            self.broker.process.kill()
        thread.start()
        ends_at = time.monotonic() + seconds
        yield
        time.sleep(max(0.0, ends_at - time.monotonic()))
        stop.set()
        thread.join()
        self._start_servers()

    def _delete_messages(self, stop: threading.Event) -> None:
        while not stop.wait(0.01):
            for message in (self._state / "broker").glob("*.msg"):
                message.unlink(missing_ok=True)

    # --- Subscribers and edits ---

    def create_subscriptions(self, subscribers: list[Subscriber]) -> None:
        """Create rows of verified subscriptions directly."""
        self.ask(
            "create_subscriptions",
            self.topic,
            *([each.callback, each.secret] for each in subscribers),
        )

    def subscribe(self, subscribers: list[Subscriber]) -> None:
        """Subscribe by requests to the hub, and wait until all are verified."""
        for subscriber in subscribers:
            form = {
                "hub.mode": "subscribe",
                "hub.topic": self.topic,
                "hub.callback": subscriber.callback,
                "hub.secret": subscriber.secret,
            }
            self._request("/api/websub/hub", urlencode(form).encode())
        wait_for(
            f"{len(subscribers)} verified subscriptions",
            lambda: self.ask("subscriptions")["active"] >= len(subscribers),
            40,
            pause=0.3,
        )

    def ask(self, command: str, *arguments: object) -> dict[str, Any]:
        """Send a command to the editor, and return its answer."""
        editor = self._editor.popen
        assert editor is not None
        assert editor.stdin is not None
        assert editor.stdout is not None
        print(json.dumps([command, *arguments]), file=editor.stdin, flush=True)
        line = editor.stdout.readline()
        if not line:
            raise ChaosError("The editor has exited; its log says why.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def crash_after_commit(self, edit: int) -> float:
        """Make the edit in a process that crashes after the commit; return the commit's time."""
        command = [sys.executable, "-m", "tools.chaos.editor", str(edit)]
        ended = subprocess.run(
            command, cwd=ROOT, env=self._env, check=False, stdout=subprocess.PIPE, text=True
        )
        if ended.returncode != CRASH_EXIT_CODE:
            raise ChaosError("The process did not die after its commit.")
        return float(ended.stdout)
