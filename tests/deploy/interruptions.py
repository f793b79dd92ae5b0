"""Work in processes that are killed at a statement of theirs, on either database."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.deploy.files import ROOT
from tests.processes import GOOD, environment

# Forks a process for each line of its input: it opens the database of that name and runs the code.
# Before the write of the number `kill_before` it kills itself. The answer holds how it ended, the
# code's `result`, the number of writes, and which of them recorded a migration.
FORKS = """
import json, os, resource, signal, sys, traceback
import django
django.setup()
from django.core.management import call_command
from django.db import connection

WRITES = {"ALTER", "CREATE", "DELETE", "DROP", "INSERT", "RELEASE", "REPLACE", "UPDATE"}

def work(database, code, kill_before, file_bytes):
    connection.settings_dict["NAME"] = database
    count, records = 0, []

    def watch(execute, sql, params, many, context):
        nonlocal count
        if str(sql).split(None, 1)[0].upper() in WRITES:
            count += 1
            if str(sql).startswith('INSERT INTO "django_migrations"'):
                records.append(count)
            if count == kill_before:
                os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)

    connection.execute_wrappers.append(watch)
    if file_bytes:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    names = {"call_command": call_command, "result": None}
    exec(code, names)
    connection.close()
    return {"result": names["result"], "writes": count, "records": records}

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
class Place:
    """A database of an installation; `copy` gives another one in the same state."""

    process: subprocess.Popen[str]
    folder: Path
    server: dict[str, Any] | None  # Of PostgreSQL.
    name: str

    @property
    def database(self) -> str:
        return self.name if self.server else str(self.folder / self.name)

    def copy(self, name: str) -> "Place":
        place = Place(self.process, self.folder, self.server, f"{self.name}-{name}")
        if self.server:
            command(self.server, f'CREATE DATABASE "{place.name}" TEMPLATE "{self.name}"')
        else:
            for suffix in ("", "-wal"):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copy(f"{self.database}{suffix}", f"{place.database}{suffix}")
        return place

    def run(self, code: str, *, file_bytes: int = 0) -> dict[str, Any]:
        answer = self._ask(code, 0, file_bytes)
        assert answer["ended"] == 0, answer["error"]
        return answer

    def result(self, code: str) -> Any:
        return self.run(code)["result"]

    def kill(self, code: str, before: int) -> None:
        answer = self._ask(code, before, 0)
        assert answer["ended"] == -signal.SIGKILL, answer

    def _ask(self, code: str, kill_before: int, file_bytes: int) -> dict[str, Any]:
        question = {"database": self.database, "code": code}
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin
        assert stdout
        limits = {"kill_before": kill_before, "file_bytes": file_bytes}
        print(json.dumps(question | limits), file=stdin, flush=True)
        answer: dict[str, Any] = json.loads(stdout.readline())
        return answer


@contextlib.contextmanager
def empty_place(folder: Path, server: dict[str, Any] | None) -> Iterator[Place]:
    """A database without tables; it and its copies are dropped at the end."""
    values = dict(GOOD)
    if server:
        login = ":".join(filter(None, (server["USER"], server["PASSWORD"])))
        host = f"{server['HOST']}:{server['PORT'] or 5432}"
        values["DATABASE_URL"] = f"postgres://{login}@{host}/postgres"
    env = environment(folder, **values, DJANGO_SETTINGS_MODULE="config.settings")
    process = subprocess.Popen(
        [sys.executable, "-c", FORKS],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    place = Place(process, folder, server, f"interrupted_{os.getpid()}")
    try:
        if server:
            command(server, f'CREATE DATABASE "{place.name}"')
        yield place
    finally:
        process.communicate()
        if server:
            for (name,) in command(server, "SELECT datname FROM pg_database"):
                if name.startswith(place.name):
                    command(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def command(server: dict[str, Any], sql: str) -> list[tuple[Any, ...]]:
    import psycopg

    names = {"USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    login = {names[key]: server[key] for key in names if server[key]}
    with psycopg.connect(**login, dbname="postgres", autocommit=True) as session:
        cursor = session.execute(sql)
        return cursor.fetchall() if cursor.description else []


def points(total: int, count: int) -> list[int]:
    """The first write, the last, and others between, evenly."""
    return sorted({1, total, *(total * number // count for number in range(1, count))} - {0})
