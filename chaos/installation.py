"""One installation as an operator runs it: web, worker, scheduler, database and broker."""

import contextlib
import hashlib
import http.client
import json
import os
import secrets
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.measuring import free_port
from chaos.editor import DIED
from chaos.processes import (
    ROOT,
    Broken,
    Family,
    Member,
    PostgreSQL,
    Redis,
    is_listening,
    wait_for,
)
from chaos.sink import Sink, Subscriber

RETRY_SECONDS = "2,4"
OURS = ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE", "ALLOWED_HOSTS")
LIMITS = ("SEARCH", "MCP", "HUB", "VERIFY")


class Installation:
    def __init__(self, family: Family, state: Path, bundle: Path, kind: tuple[str, str]) -> None:
        database, broker = kind
        self._port = free_port()
        self._state = state
        self.postgresql = PostgreSQL(family, free_port()) if database == "postgres" else None
        self.redis = Redis(family, free_port()) if broker == "redis" else None
        self.base_url = f"http://localhost:{self._port}"
        self.topic = f"{self.base_url}/api/feed.json"
        self._env = self._environment(bundle)
        python = [sys.executable, "-m"]
        web = ["granian", "config.wsgi:application", "--interface", "wsgi", "--no-ws"]
        web += ["--host", "127.0.0.1", "--port", str(self._port), "--blocking-threads", "4"]
        celery = [*python, "celery", "-A", "config", "-q"]
        self.web = family.member("web", [*python, *web], env=self._env)
        self.worker, self.second_worker = (
            family.member(name, [*celery, "worker", "-n", f"{name}@%h"], env=self._env)
            for name in ("worker", "second-worker")
        )
        self.beat = family.member("beat", [*celery, "beat"], env=self._env)
        self._editor = family.member("editor", [*python, "chaos.editor"], env=self._env, talks=True)

    def _environment(self, bundle: Path) -> dict[str, str]:
        given = {
            "SECRET_KEY": secrets.token_urlsafe(48),
            "BASE_URL": self.base_url,
            "STATE_DIR": str(self._state),
            "HUB_ALLOW_NETS": "127.0.0.0/8",
            "HUB_CA_BUNDLE": str(bundle),
            "HUB_MAX_PER_HOST": "0",
            "WEBSUB_RETRY_SECONDS": RETRY_SECONDS,
            **{f"RATE_LIMIT_{name}": "" for name in LIMITS},
        }
        if self.postgresql:
            given["DATABASE_URL"] = self.postgresql.url
        if self.redis:
            given["REDIS_URL"] = self.redis.url
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        return kept | given

    # --- Running ---

    def prepare(self) -> None:
        """An empty database with its tables."""
        for server in (self.postgresql, self.redis):
            if server:
                server.start()
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--skip-checks", "--verbosity", "0"],
            cwd=ROOT,
            env=self._env,
            check=True,
        )

    def start(self) -> None:
        """Start whatever does not run, and wait until all of it works."""
        for server in (self.postgresql, self.redis):
            if server:
                server.start()
        for member in (self.web, self.worker, self.beat, self._editor):
            member.start()
        wait_for("The web server listening", lambda: is_listening(self._port), 30)
        wait_for("Worker and scheduler giving a sign of life", self._is_whole, 40, pause=0.3)

    def _is_whole(self) -> bool:
        with contextlib.suppress(OSError):
            state = json.loads(self._get("/readyz"))
            return bool(state["worker"] == state["scheduler"] == "ok")
        return False

    def restart(self, member: Member, after: float = 1.0) -> None:
        """Kill it with -9 and start it again, as a supervisor does."""
        member.kill()
        time.sleep(after)
        member.start()

    def _get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self.base_url}{path}", timeout=5) as response:
            body: bytes = response.read()
            return body

    def digest(self) -> str:
        """Of the topic as it is read now."""
        return hashlib.sha256(self._get("/api/feed.json")).hexdigest()

    # --- Faults of the broker ---

    @contextlib.contextmanager
    def without_messages(self, seconds: float) -> Iterator[None]:
        """The broker stops and comes back empty; over files, every message is thrown away."""
        stop = threading.Event()
        if self.redis:
            self.redis.member.kill()
        else:
            thread = threading.Thread(target=self._throw_away, args=(stop,), daemon=True)
            thread.start()
        ends_at = time.monotonic() + seconds
        yield
        time.sleep(max(0.0, ends_at - time.monotonic()))
        if self.redis:
            self.redis.start()
        else:
            stop.set()
            thread.join()

    def _throw_away(self, stop: threading.Event) -> None:
        while not stop.wait(0.01):
            for message in (self._state / "broker").glob("*.msg"):
                message.unlink(missing_ok=True)

    # --- What people do ---

    def subscribe(self, crowd: list[Subscriber], sink: Sink) -> None:
        """Through the hub's door, and wait until every callback has confirmed."""
        connection = http.client.HTTPConnection("localhost", self._port, timeout=20)
        for subscriber in crowd:
            form = {
                "hub.mode": "subscribe",
                "hub.topic": self.topic,
                "hub.callback": subscriber.callback,
                "hub.secret": subscriber.secret,
            }
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", "/api/websub/hub", urlencode(form), kind)
            response = connection.getresponse()
            sentence = response.read().decode()
            if response.status != http.HTTPStatus.ACCEPTED:
                raise Broken(f"The hub answered {response.status}: {sentence.strip()}")
        connection.close()
        wait_for(
            f"{len(crowd)} verified subscriptions",
            lambda: self.ask("subscriptions")["active"] >= len(crowd),
            40,
            pause=0.3,
        )

    def ask(self, command: str) -> dict[str, Any]:
        """The editor's answer."""
        to_it, from_it = self._editor.pipes
        print(command, file=to_it, flush=True)
        line = from_it.readline()
        if not line:
            raise Broken("The editor has ended; its log says why.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def crash_after_commit(self, edit: int) -> float:
        """Make the edit in a process that dies before it can tell anybody; when it committed."""
        ended = subprocess.run(
            [sys.executable, "-m", "chaos.editor", "crash", str(edit)],
            cwd=ROOT,
            env=self._env,
            check=False,
            stdout=subprocess.PIPE,
            text=True,
        )
        if ended.returncode != DIED:
            raise Broken("The process did not die after its commit.")
        return float(json.loads(ended.stdout)["committed_at"])
