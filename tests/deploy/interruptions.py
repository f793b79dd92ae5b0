"""Run work in processes that are killed at a chosen statement, on either database."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.deploy.files import ROOT
from tests.processes import GOOD, environment
from tests.waiting import wait_until

# Forks a process for each line of input, which opens the named database and runs the code. The
# process kills itself before write number `write`, or before it records migration number `record`.
# With a folder `pause` it waits there instead. The answer holds its exit, the code's `result` and
# the number of writes.
FORKS = """
import json, os, resource, signal, sys, time, traceback
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
from django.db import connection

WRITES = {"ALTER", "CREATE", "DELETE", "DROP", "INSERT", "RELEASE", "REPLACE", "UPDATE"}

def work(database, code, write, record, pause, file_bytes):
    connection.settings_dict["NAME"] = database
    writes = records = 0

    def watch(execute, sql, params, many, context):
        nonlocal writes, records
        if str(sql).split(None, 1)[0].upper() in WRITES:
            writes += 1
            is_record = str(sql).startswith('INSERT INTO "django_migrations"')
            records += is_record
            if writes == write and pause:
                Path(pause, "begun").touch()
                while not Path(pause, "over").exists():
                    time.sleep(0.01)
            elif writes == write or (is_record and records == record):
                os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)

    connection.execute_wrappers.append(watch)
    if file_bytes:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    names = {"call_command": call_command, "result": None}
    exec(code, names)
    connection.close()
    return {"result": names["result"], "writes": writes}

for line in sys.stdin:
    reads, writes = os.pipe()
    if child := os.fork():
        os.close(writes)
        with os.fdopen(reads) as answer:
            said = answer.read()
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps({"ended": ended, **json.loads(said or "{}")}), flush=True)
    else:
        os.dup2(2, 1)  # Commands print; the answers are this script's.
        try:
            said = work(**json.loads(line))
        except BaseException:
            said = {"error": traceback.format_exc()}
        os.write(writes, json.dumps(said).encode())
        os._exit(1 if "error" in said else 0)
"""


@dataclass(frozen=True)
class Database:
    """A database of an installation. `copy` returns another one in the same state."""

    process: subprocess.Popen[str]
    folder: Path
    server: dict[str, Any] | None  # PostgreSQL only.
    env: dict[str, str]
    name: str

    @property
    def database(self) -> str:
        return self.name if self.server else str(self.folder / self.name)

    def copy(self, name: str) -> "Database":
        place = replace(self, name=f"{self.name}-{name}")
        if self.server:
            command(self.server, f'CREATE DATABASE "{place.name}" TEMPLATE "{self.name}"')
        else:
            for suffix in ("", "-wal"):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copy(f"{self.database}{suffix}", f"{place.database}{suffix}")
        return place

    def run(self, code: str, *, file_bytes: int = 0) -> dict[str, Any]:
        answer = self._ask(code, file_bytes=file_bytes)
        assert answer["ended"] == 0, answer["error"]
        return answer

    def result(self, code: str) -> Any:
        return self.run(code)["result"]

    def killed(self, code: str, *, write: int = 0, record: int = 0) -> bool:
        """Run the code in a process that kills itself there. Return whether it got so far."""
        answer = self._ask(code, write=write, record=record)
        assert answer["ended"] in {0, -signal.SIGKILL}, answer["error"]
        return answer["ended"] != 0

    @contextlib.contextmanager
    def paused(self, code: str, *, write: int) -> Iterator[None]:
        """Run the code up to this write, and the rest of it at the end of the block."""
        pause = self.folder / f"pause-{self.name}"
        pause.mkdir()
        self._send(code, write=write, pause=str(pause))
        wait_until((pause / "begun").exists)
        yield
        (pause / "over").touch()
        answer = self._receive()
        assert answer["ended"] == 0, answer["error"]

    @contextlib.contextmanager
    def beside(self) -> Iterator["Database"]:
        """Use the same database in a process that runs beside this one's."""
        with _forks(self.env) as process:
            yield replace(self, process=process)

    def _ask(self, code: str, **options: Any) -> dict[str, Any]:
        self._send(code, **options)
        return self._receive()

    def _send(
        self, code: str, *, write: int = 0, record: int = 0, pause: str = "", file_bytes: int = 0
    ) -> None:
        question = {"database": self.database, "code": code, "write": write, "record": record}
        assert self.process.stdin
        line = json.dumps(question | {"pause": pause, "file_bytes": file_bytes})
        print(line, file=self.process.stdin, flush=True)

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@contextlib.contextmanager
def _forks(env: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", FORKS],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.communicate()


@contextlib.contextmanager
def empty_database(folder: Path, server: dict[str, Any] | None) -> Iterator[Database]:
    """Yield a database without tables. Drop it and its copies at the end."""
    values = dict(GOOD)
    if server:
        login = ":".join(filter(None, (server["USER"], server["PASSWORD"])))
        host = f"{server['HOST']}:{server['PORT'] or 5432}"
        values["DATABASE_URL"] = f"postgres://{login}@{host}/postgres"
    env = environment(folder, **values, DJANGO_SETTINGS_MODULE="config.settings")
    name = f"interrupted_{os.getpid()}"
    try:
        with _forks(env) as process:
            if server:
                command(server, f'CREATE DATABASE "{name}"')
            yield Database(process, folder, server, env, name)
    finally:
        if server:
            for (each,) in command(server, "SELECT datname FROM pg_database"):
                if each.startswith(name):
                    command(server, f'DROP DATABASE "{each}" WITH (FORCE)')


def command(server: dict[str, Any], sql: str) -> list[tuple[Any, ...]]:
    import psycopg

    names = {"USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    login = {names[key]: server[key] for key in names if server[key]}
    with psycopg.connect(**login, dbname="postgres", autocommit=True) as session:
        cursor = session.execute(sql)
        return cursor.fetchall() if cursor.description else []


def points(total: int, count: int) -> list[int]:
    """Return the first write, the last, and others evenly between."""
    return sorted({1, total, *(total * number // count for number in range(1, count))} - {0})
