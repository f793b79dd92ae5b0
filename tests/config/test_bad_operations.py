"""What goes wrong with a machine or a setting is a sentence with the remedy, never a stack trace;
and reading goes on wherever it can."""

import errno
import http.client
import json
import os
import re
import resource
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import psycopg
import pytest
import requests
from celery.beat import ScheduleEntry
from django.core.cache import cache
from django.db import DatabaseError, OperationalError, ProgrammingError, connection

from config import health, heartbeat
from config.celery import UNHEARD, Doorbell, app
from config.scheduler import Scheduler
from reviews import database_trouble
from reviews.database_trouble import remedy
from reviews.models import Review
from tests.factories import make_review
from tests.processes import ROOT, environment, manage, run

GOOD = {"SECRET_KEY": "k" * 50, "BASE_URL": "http://127.0.0.1:8000"}


@pytest.fixture
def nothing_listens():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return f"postgres://somebody:open-sesame@127.0.0.1:{port}/reviews"


# --- Commands -------------------------------------------------------------------------------------


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


def endings(commands, env):
    """The last words of commands, one after the other in one process."""
    done = run("-c", ENDINGS, json.dumps(commands), env=env)
    assert done.returncode == 0, done.stderr
    return re.findall("^ended: (.*)", done.stdout, re.MULTILINE)


def test_command_without_a_database_says_so_in_a_line(tmp_path, nothing_listens):
    env = environment(tmp_path, **GOOD, DATABASE_URL=nothing_listens)

    done = run("manage.py", "migrate", env=env)
    said = endings(COMMANDS, env)

    assert done.returncode == 1
    assert len(said) == len(COMMANDS)
    for sentence in (done.stderr, *said):
        assert database_trouble.UNREACHABLE in sentence
        assert "Traceback" not in sentence
        assert "open-sesame" not in sentence


def test_command_before_migrate_asks_for_it(tmp_path):
    said = endings(COMMANDS, environment(tmp_path, **GOOD))

    assert len(said) == len(COMMANDS)
    for sentence in said:
        assert sentence.startswith(f"{database_trouble.NOT_MIGRATED} (no such table: ")


# --- The web process ------------------------------------------------------------------------------


class Web:
    def __init__(self, port, log):
        self.port = port
        self.log = log

    def ask(self, method, path, body=None, **headers):
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            client.request(method, path, body, headers)
            answer = client.getresponse()
            return answer, answer.read().decode()
        finally:
            client.close()

    def wait(self):
        deadline = time.monotonic() + 60
        while True:
            try:
                return self.ask("GET", "/healthz")
            except OSError:
                assert time.monotonic() < deadline, self.log.read_text()
                time.sleep(0.1)


@contextmanager
def web(tmp_path, *, prepare=None, **values):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "config.wsgi:application"]
    command += ["--port", str(port), "--http", "1", "--no-ws", "--log-level", "warning"]
    command += ["--blocking-threads", "2", "--backpressure", "16"]
    log = tmp_path / "web.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(tmp_path, **GOOD | values),
            stdout=out,
            stderr=subprocess.STDOUT,
            preexec_fn=prepare,  # noqa: PLW1509  (the tests' own threads hold no lock)
        )
        try:
            server = Web(port, log)
            server.wait()
            yield server
        finally:
            process.terminate()
            process.wait(timeout=30)


def test_web_server_without_a_database_names_it(tmp_path, nothing_listens):
    with web(tmp_path, DATABASE_URL=nothing_listens) as server:
        ready, told = server.ask("GET", "/readyz")
        document, _ = server.ask("GET", "/reviews.json")

    assert (ready.status, document.status) == (503, 503)
    assert f'"detail":"database: unreachable. {database_trouble.UNREACHABLE}"' in told
    assert "Traceback" not in server.log.read_text()
    assert "open-sesame" not in server.log.read_text()


def test_web_server_before_migrate_asks_for_it(tmp_path):
    with web(tmp_path) as server:
        ready, told = server.ask("GET", "/readyz")
        document, _ = server.ask("GET", "/reviews.json")
        search, _ = server.ask("GET", "/api/reviews/search")

    assert (ready.status, document.status, search.status) == (503, 503, 503)
    assert f'"detail":"database: not migrated. {database_trouble.NOT_MIGRATED}"' in told
    assert "Traceback" not in server.log.read_text()


class Administrator:
    """Somebody with a browser."""

    def __init__(self, server):
        self.browser = requests.Session()
        self.browser.headers["Referer"] = "http://127.0.0.1:8000/admin/"  # BASE_URL's.
        self.url = f"http://127.0.0.1:{server.port}"

    def fill_in(self, path, **fields):
        page = self.browser.get(f"{self.url}{path}", timeout=30).text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        form = {"csrfmiddlewaretoken": token, **fields}
        return self.browser.post(f"{self.url}{path}", form, timeout=30, allow_redirects=False)


def test_full_disk_ends_writing_and_not_reading(migrated):
    env = environment(migrated, **GOOD, DJANGO_SUPERUSER_PASSWORD="long enough")
    manage(
        ("createsuperuser", "--noinput", "--username", "root", "--email", "root@example.com"),
        ("make_demo", "--reviews", "50"),
        ("publish_documents",),
        env=env,
    )

    def let_no_file_grow_large():
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))

    with web(migrated, prepare=let_no_file_grow_large) as server:
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
        document, body = server.ask("GET", "/reviews.json")
        search, _ = server.ask("GET", "/api/reviews/search?limit=1")
        page, _ = server.ask("GET", "/reviews")

    assert saved.status_code == 503, re.findall(r"errorlist.*?</ul>", saved.text, re.DOTALL)
    assert saved.headers["Retry-After"] == "5"
    assert "The disk of the database" in saved.text
    assert (document.status, search.status, page.status) == (200, 200, 200)
    assert len(json.loads(body)["reviews"]) == 50
    assert "Traceback" not in server.log.read_text()
    with closing(sqlite3.connect(migrated / "reviews.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        [names] = database.execute("SELECT count(*) FROM reviews_technician WHERE name='Somebody'")
    assert names == (number,)  # Those that were taken are there, the one that was not is not.


# --- Worker and scheduler -------------------------------------------------------------------------


@app.task(base=Doorbell, name="tests.bad_operations.broken")
def broken(words):
    raise OperationalError(words)


def test_task_without_a_database_is_a_sentence_and_left_to_the_sweep(caplog):
    broken("connection failed: connection refused")

    [record] = caplog.records
    assert record.message == (
        "tests.bad_operations.broken did not work: "
        f"{database_trouble.UNREACHABLE} (connection failed: connection refused)"
    )
    assert record.exc_info is None


def test_task_with_an_error_that_nobody_can_name_still_fails():
    with pytest.raises(OperationalError, match="something else"):
        broken("something else")


@pytest.mark.parametrize(
    ("role", "spoil", "sentence"),
    [
        (
            "worker",
            lambda folder: (folder / "broker").touch(),
            (
                "STATE_DIR is '{}/broker', which cannot be made (File exists). Set it to a folder "
                "that this user may write.\n"
            ),
        ),
        (
            "beat",
            lambda folder: (folder / "beat-schedule.lock").mkdir(),
            (
                "{}/beat-schedule.lock cannot be written (Is a directory). Give this user write "
                "access to the folder that STATE_DIR names, or name another one.\n"
            ),
        ),
    ],
    ids=("worker", "beat"),
)
def test_role_that_cannot_write_its_folder_says_so(tmp_path, role, spoil, sentence):
    spoil(tmp_path)
    env = environment(tmp_path, **GOOD, CELERY_BROKER_URL="filesystem://")

    done = run("-m", "celery", "-A", "config", "-q", role, env=env)

    assert (done.returncode, done.stderr) == (1, sentence.format(tmp_path))


def test_scheduler_that_cannot_ring_says_so_in_a_line(monkeypatch, caplog):
    def fill_the_disk(*args, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(app, "send_task", fill_the_disk)
    scheduler = Scheduler(app, lazy=True)
    scheduler.sync = lambda: None

    scheduler.apply_entry(ScheduleEntry("rung", "tests.bad_operations.rung", schedule=60, app=app))

    [record] = caplog.records
    assert record.message == (
        "No worker was told of tests.bad_operations.rung: [Errno 28] No space left on device. "
        f"{UNHEARD}"
    )
    assert record.exc_info is None


@pytest.fixture
def no_signs_of_life():
    cache.clear()


def make_scheduler(monkeypatch, name):
    scheduler = Scheduler.__new__(Scheduler)
    host, _, process = name.partition(":")

    def tell():
        monkeypatch.setattr(socket, "gethostname", lambda: host)
        monkeypatch.setattr(os, "getpid", lambda: int(process))
        scheduler._tell_that_it_lives()

    return tell


def test_two_schedulers_notice_each_other(no_signs_of_life, monkeypatch, caplog):
    one, other = make_scheduler(monkeypatch, "alder:7"), make_scheduler(monkeypatch, "birch:9")

    one()
    other()
    assert not caplog.records
    one()
    other()

    assert [record.message for record in caplog.records] == [
        f"Another scheduler runs at {there} beside this one ({here}). Everything is rung for "
        "twice, which is harmless; stop one of them."
        for there, here in [("birch:9", "alder:7"), ("alder:7", "birch:9")]
    ]
    assert heartbeat.states()["scheduler"] == "ok"


def test_scheduler_that_follows_another_is_silent(no_signs_of_life, monkeypatch, caplog):
    former, next_one = (
        make_scheduler(monkeypatch, "alder:7"),
        make_scheduler(monkeypatch, "alder:8"),
    )

    former()
    former()
    for _ in range(3):
        next_one()

    assert not caplog.records


# --- The clock ------------------------------------------------------------------------------------


class Cursor:
    def __init__(self, now):
        self.now = now

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def execute(self, statement):
        assert statement == "SELECT extract(epoch FROM clock_timestamp())"

    def fetchone(self):
        return [self.now]


@pytest.mark.parametrize(
    ("ahead", "told"),
    [
        (0, "ok"),
        (4, "ok"),
        (-4, "ok"),
        (42, "This machine's clock is 42 s ahead of the database's."),
        (-42, "This machine's clock is 42 s behind the database's."),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_clock_that_differs_from_the_database_s_is_told(client, settings, monkeypatch, ahead, told):
    class Server:
        def cursor(self):
            return Cursor(time.time() - ahead)

    settings.USES_SQLITE = False
    monkeypatch.setattr(health, "connection", Server())

    response = client.get("/readyz")

    assert response.status_code == 200
    assert response.json()["clock"].startswith(told)


# --- Which sentence -------------------------------------------------------------------------------


def raised(cls, words, sqlstate=None):
    error = cls(words)
    if sqlstate:
        error.__cause__ = psycopg.errors.lookup(sqlstate)(words)
    return error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (raised(OperationalError, "no such table: reviews_review"), database_trouble.NOT_MIGRATED),
        (raised(OperationalError, "no such column: mood"), database_trouble.NOT_MIGRATED),
        (
            raised(ProgrammingError, "relation does not exist", "42P01"),
            database_trouble.NOT_MIGRATED,
        ),
        (raised(ProgrammingError, "column does not exist", "42703"), database_trouble.NOT_MIGRATED),
        (raised(OperationalError, "database or disk is full"), database_trouble.FULL),
        (raised(OperationalError, "could not extend file", "53100"), database_trouble.FULL),
        (raised(OperationalError, "disk I/O error"), database_trouble.BROKEN),
        (raised(OperationalError, "database is locked"), database_trouble.BUSY),
        (raised(OperationalError, "terminating connection", "57P01"), database_trouble.UNREACHABLE),
        (raised(OperationalError, "too many clients", "53300"), database_trouble.UNREACHABLE),
        (raised(OperationalError, "no password", "28P01"), database_trouble.REFUSED),
        (
            raised(OperationalError, 'connection failed: FATAL: database "x" does not exist'),
            database_trouble.REFUSED,
        ),
        (
            raised(OperationalError, "connection failed: password authentication failed"),
            database_trouble.REFUSED,
        ),
        (
            raised(OperationalError, "attempt to write a readonly database"),
            database_trouble.READ_ONLY,
        ),
        (raised(OperationalError, "something else"), None),
        (raised(DatabaseError, "unique constraint", "23505"), None),
        (ValueError("no such table"), None),
    ],
    ids=str,
)
def test_error_of_the_database_has_a_remedy(error, sentence):
    assert remedy(error) == sentence


@pytest.mark.django_db(transaction=True)
def test_database_s_own_words_are_understood():
    with pytest.raises(DatabaseError) as raised, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM table_of_tomorrow")

    assert remedy(raised.value) == database_trouble.NOT_MIGRATED


@pytest.mark.skipif(connection.vendor != "sqlite", reason="how SQLite says that a disk is full")
@pytest.mark.django_db(transaction=True)
def test_full_disk_of_sqlite_is_understood_and_passes():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(OperationalError) as full:
            make_review(text="x" * 1_000_000)
        cursor.execute("PRAGMA max_page_count = 1073741823")

    assert remedy(full.value) == database_trouble.FULL
    assert not Review.objects.exists()
    make_review()
