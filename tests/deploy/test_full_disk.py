"""A full or read-only PostgreSQL: nothing is half written, and reading goes on."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from core.db import errors as database_errors
from tests.deploy.interruptions import command, empty_database
from tests.deploy.work import APPLY_AGAIN, MIGRATE, PREPARE, PUBLISHED, STATE, WORK, WORK_OR_FAIL
from tools.chaos.processes import PostgreSQL, ProgramMissing, as_user, program, supervise

pytestmark = [
    pytest.mark.scale,
    pytest.mark.skipif(sys.platform != "linux", reason="Limits of other processes are Linux's"),
]

MEGABYTE = 1024 * 1024
# The second file has 1,500 different reviews of more than a kilobyte each.
PREPARE_MANY = f"""
import hashlib
{PREPARE.replace('rows(20, 60, "Maren Holt was tidy")', "many")}
""".replace(
    "batch = services.upload(",
    """many = [
    f"google,m-{n},Dana {n},5,2026-03-01," + "".join(
        f" {hashlib.sha256(b'%d %d' % (n, part)).hexdigest()}" for part in range(20)
    )
    for n in range(1_500)
]
batch = services.upload(""",
)
READ = """
from django.test import Client
client = Client(HTTP_HOST="127.0.0.1:8000")
paths = ("/reviews", "/api/reviews/search?query=quick", "/reviews.json")
result = [client.get(path).status_code for path in paths]
"""
CHANGE = """
from core.db.errors import hint_for
from django.db import Error
from reviews.models import Technician
try:
    Technician.objects.bulk_create(
        Technician(slug=f"t-{n}", name=f"Name {n}") for n in range(30_000)
    )
except Error as error:
    result = hint_for(error)
"""


@pytest.fixture
def cluster():
    """Start a PostgreSQL whose write-ahead log files have one megabyte."""
    # Other users cannot enter the test's own folder if root created it.
    with tempfile.TemporaryDirectory() as folder, supervise(Path(folder)) as supervisor:
        try:
            postgresql = PostgreSQL(supervisor, "--wal-segsize=1")
        except ProgramMissing as missing:
            pytest.skip(str(missing))
        postgresql.start()
        yield postgresql


def limit_files(cluster, size):
    """Limit the file size of new sessions in bytes."""
    process = f"--pid={cluster.process.popen.pid}"
    # Run as the user of PostgreSQL, since root in a container may lack the right to limit others.
    subprocess.run(
        [program("prlimit", "util-linux"), process, f"--fsize={size}:"],
        **as_user(cluster.process.user),
        check=True,
    )


@pytest.fixture
def place(cluster, tmp_path):
    """Return a database with 40 published reviews and a waiting import."""
    server = {"USER": "chaos", "PASSWORD": "", "HOST": "127.0.0.1", "PORT": str(cluster.port)}
    with empty_database(tmp_path, server) as place:
        place.run(MIGRATE)
        place.run(PREPARE_MANY)
        place.run(PUBLISHED)
        yield place


def test_full_disk_of_postgresql_changes_nothing_and_work_succeeds_later(cluster, place):
    before = place.result(STATE)
    # A full file system writes truncated pages.
    limit_files(cluster, MEGABYTE + 4096)

    place.run(WORK_OR_FAIL)

    assert place.result(READ) == [200, 200, 200]
    assert place.result(CHANGE) == database_errors.FULL
    limit_files(cluster, "unlimited")
    # The batch waits for a decision, since its error could still be stored.
    assert place.result(STATE) == before | {"state": "previewed"}
    place.run(APPLY_AGAIN + WORK)
    after = place.result(STATE)
    assert (after["state"], len(after["texts"])) == ("applied", 1_540)


def test_read_only_postgresql_is_read_and_work_succeeds_later(cluster, place):
    before = place.result(STATE)
    command(place.server, f'ALTER DATABASE "{place.name}" SET default_transaction_read_only = on')

    place.run(WORK_OR_FAIL)

    assert place.result(READ) == [200, 200, 200]
    assert place.result(CHANGE) == database_errors.READ_ONLY
    assert place.result(STATE) == before
    command(place.server, f'ALTER DATABASE "{place.name}" RESET default_transaction_read_only')
    place.run(WORK)
    assert len(place.result(STATE)["texts"]) == 1_540
