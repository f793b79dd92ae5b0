"""Faults of a machine or a setting are explained with a remedy, while reading goes on."""

import json
import re
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import requests

from core.db import errors as database_errors
from tests.processes import GOOD, ROOT, environment, manage, python_process, reserved_port, run
from tests.waiting import wait_until
from tools.chaos.processes import is_listening

pytestmark = pytest.mark.slow


@pytest.fixture
def nothing_listens(silent_port):
    return f"postgres://somebody:open-sesame@127.0.0.1:{silent_port}/reviews"


ENDINGS = """
import json, sys
import manage
for command in json.loads(sys.argv[1]):
    sys.argv = ["manage.py", *command]
    try:
        manage.main()
    except SystemExit as end:
        print("ended:", end)
"""
COMMANDS = [["changepassword", "admin"], ["refresh_insights"], ["publish_documents"], ["sweep"]]


def last_lines(commands, env):
    """Return the last line of each command, run in one process."""
    done = run("-c", ENDINGS, json.dumps(commands), env=env)
    assert done.returncode == 0, done.stderr
    return re.findall("^ended: (.*)", done.stdout, re.MULTILINE)


def test_command_without_database_is_one_sentence(tmp_path, nothing_listens):
    env = environment(tmp_path, **GOOD, DATABASE_URL=nothing_listens)

    done = run("manage.py", "migrate", env=env)
    said = last_lines(COMMANDS, env)

    assert done.returncode == 1
    assert len(said) == len(COMMANDS)
    for sentence in (done.stderr, *said):
        assert database_errors.UNREACHABLE in sentence
        assert "Traceback" not in sentence
        assert "open-sesame" not in sentence


def test_command_before_migrate_names_migrate(tmp_path):
    said = last_lines(COMMANDS, environment(tmp_path, **GOOD))

    assert len(said) == len(COMMANDS)
    for sentence in said:
        assert sentence.startswith(f"{database_errors.NOT_MIGRATED} (no such table: ")


class Web(NamedTuple):
    url: str
    log: Path

    def get(self, path):
        return requests.get(f"{self.url}{path}", timeout=30)


@contextmanager
def web(tmp_path, *, prepare=None, **values):
    command = ["-m", "granian", "--interface", "wsgi", "config.wsgi:application"]
    command += ["--http", "1", "--no-ws", "--log-level", "warning"]
    command += ["--blocking-threads", "2", "--backpressure", "16", "--workers-kill-timeout", "5"]
    env, log = environment(tmp_path, **GOOD | values), tmp_path / "web.log"
    with (
        reserved_port() as port,
        python_process(*command, "--port", str(port), env=env, log=log, preexec_fn=prepare),
    ):
        wait_until(lambda: is_listening(port))
        yield Web(f"http://127.0.0.1:{port}", log)


def test_web_server_names_missing_database(tmp_path, nothing_listens):
    with web(tmp_path, DATABASE_URL=nothing_listens) as server:
        ready, document = server.get("/readyz"), server.get("/reviews.json")

    assert (ready.status_code, document.status_code) == (503, 503)
    assert ready.json()["detail"] == f"database: unreachable. {database_errors.UNREACHABLE}"
    assert "Traceback" not in server.log.read_text()
    assert "open-sesame" not in server.log.read_text()


class Administrator:
    """A user with a browser."""

    def __init__(self, server):
        self.browser = requests.Session()
        self.browser.headers["Referer"] = "http://127.0.0.1:8000/admin/"  # BASE_URL's.
        self.url = server.url

    def fill_in(self, path, **fields):
        page = self.browser.get(f"{self.url}{path}", timeout=30).text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        form = {"csrfmiddlewaretoken": token, **fields}
        return self.browser.post(f"{self.url}{path}", form, timeout=30, allow_redirects=False)


def test_full_disk_stops_writing_but_not_reading(migrated):
    env = environment(migrated, **GOOD, DJANGO_SUPERUSER_PASSWORD="long enough")
    manage(
        ("createsuperuser", "--noinput", "--username", "root", "--email", "root@example.com"),
        ("tools.demo_reviews", "--reviews", "50"),
        ("publish_documents",),
        env=env,
    )

    def limit_file_size():
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))

    with web(migrated, prepare=limit_file_size) as server:
        root = Administrator(server)
        assert (
            root.fill_in("/admin/login/", username="root", password="long enough").status_code
            == 302
        )
        for number in range(60):
            saved = root.fill_in(
                "/admin/reviews/technician/add/",
                slug=f"somebody-{number}",
                name="Somebody",
                aliases="\n".join(f"name {n:090}" for n in range(190)),
            )
            if saved.status_code != 302:
                break
        document = server.get("/reviews.json")
        others = [server.get(path) for path in ("/api/reviews/search?limit=1", "/reviews")]

    assert saved.status_code == 503, re.findall(r"errorlist.*?</ul>", saved.text, re.DOTALL)
    assert saved.headers["Retry-After"] == "5"
    assert "The disk of the database" in saved.text
    assert [answer.status_code for answer in others] == [200, 200]
    assert len(document.json()["reviews"]) == 50
    assert "Traceback" not in server.log.read_text()
    with closing(sqlite3.connect(migrated / "reviews.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        [names] = database.execute("SELECT count(*) FROM reviews_technician WHERE name='Somebody'")
    assert names == (number,)  # Accepted reviews are stored, the refused one is not.


def test_import_that_fills_disk_frees_its_space(migrated):
    env = environment(migrated, **GOOD)
    table = migrated / "reviews.csv"
    words = " ".join(f"word{number}" for number in range(60))
    rows = [f"{number},5,2026-01-31,Somebody,{words}" for number in range(8_000)]
    table.write_text("\n".join(["id,rating,date,author,text", *rows]))
    log = migrated / "reviews.sqlite3-wal"

    with closing(sqlite3.connect(migrated / "reviews.sqlite3")) as another:
        # The write-ahead log exists while a connection is open, and holds pages that the database
        # file has no room for yet.
        another.execute("PRAGMA journal_mode=WAL")
        another.execute("CREATE TABLE outstanding AS SELECT zeroblob(200000)")
        another.commit()
        done = subprocess.run(
            [sys.executable, "manage.py", "import_reviews", "--accept", str(table)],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000)),
        )
        kept = log.stat().st_size

    assert done.returncode == 1
    assert "The disk of the database" in done.stderr
    assert kept == 0
