"""Processes that are killed, and disks that fill up, while they migrate, import or undo.

Nothing is half done: what was there before is there, and the same work again succeeds.
"""

import pytest
from django.db import connection

from tests.deploy.interruptions import empty_place, points

pytestmark = [pytest.mark.scale, pytest.mark.django_db]

MIGRATE = "call_command('migrate', verbosity=0)"
CHECK = "call_command('migrate', check_unapplied=True, verbosity=0)"
# Reviews of two files: the second changes some, leaves some alone and brings new ones.
PREPARE = """
import io
from reviews import services
from reviews.imports.opening import ImportOptions
from reviews.models import ImportBatch, Technician

def table(*rows):
    return "\\n".join(["source,id,author,rating,date,text", *rows]).encode()

def rows(first, count, text):
    day = "2026-03-{:02}".format
    numbers = range(first, first + count)
    return [f"google,g-{n},Dana {n},5,{day(n % 28 + 1)},{text} {n}" for n in numbers]

Technician.objects.create(slug="maren", name="Maren Holt")
services.import_file(
    io.BytesIO(table(*rows(0, 40, "Maren Holt was quick"))),
    file_name="first.csv",
    options=ImportOptions(),
)
batch = services.upload(
    table(*rows(0, 20, "Maren Holt was quick"), *rows(20, 60, "Maren Holt was tidy")),
    file_name="second.csv",
    options=ImportOptions(),
    by=None,
)
services.preview(batch)
services.IN_REQUEST_ROWS = 0
batch.refresh_from_db()
services.apply(batch)
"""
WORK = """
from reviews.models import ImportBatch
from reviews.tasks import work_off
work_off(ImportBatch.objects.latest("pk").pk)
"""
# A task of a worker logs an error of the database, and the next sweep tries again.
WORK_OR_FAIL = f"""
from django.db import DatabaseError
try:
    exec({WORK!r})
except DatabaseError:
    pass
"""
ASK_FOR_UNDO = """
from reviews import services
from reviews.models import ImportBatch
services.IN_REQUEST_ROWS = 0
services.undo(ImportBatch.objects.latest("pk"))
"""
STATE = """
from reviews.models import ImportBatch, Mention, Review, Revision
from django.db import connection
texts = sorted(Review.objects.values_list("external_id", "text"))
result = {
    "state": ImportBatch.objects.latest("pk").state,
    "texts": texts,
    "mentions": Mention.objects.count(),
    "revision": Revision.objects.current(Revision.REVIEWS),
}
"""
ASK_FOR_APPLY = """
from reviews import services
from reviews.models import ImportBatch
services.IN_REQUEST_ROWS = 0
services.apply(ImportBatch.objects.latest("pk"))
"""
PUBLISHED = """
import json
from publishing.models import Document
call_command("publish_documents")
result = len(json.loads(Document.objects.get(path="/reviews.json").identity)["reviews"])
"""
KILLS = 8  # For each kind of work; the statements between two of them are like those.


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def empty(request, tmp_path_factory):
    """A database without tables."""
    is_sqlite = request.param == "sqlite"
    if not is_sqlite and connection.vendor != "postgresql":
        pytest.skip("DATABASE_URL names no PostgreSQL")
    server = None if is_sqlite else connection.settings_dict
    with empty_place(tmp_path_factory.mktemp("places"), server) as place:
        yield place


@pytest.fixture(scope="module")
def migrated(empty):
    place = empty.copy("migrated")
    place.run(MIGRATE)
    return place


@pytest.fixture(scope="module")
def applying(migrated):
    place = migrated.copy("applying")
    place.run(PREPARE)
    return place


@pytest.fixture(scope="module")
def undoing(applying):
    place = applying.copy("undoing")
    place.run(WORK)
    place.run(ASK_FOR_UNDO)
    return place


def test_killed_migrate_is_completed_by_the_next(empty):
    records = empty.copy("counted").run(MIGRATE)["records"]

    # Before some migrations are recorded, and in the middle of others.
    for before in sorted(
        {1, *records[::7], *(number - 1 for number in records[3::7]), records[-1]}
    ):
        place = empty.copy(f"killed-{before}")
        place.kill(MIGRATE, before)
        place.run(MIGRATE)
        place.run(CHECK)
    assert place.result(PREPARE + WORK + PUBLISHED) == 80


def killed_work_changes_nothing(begun, states, count):
    before = begun.result(STATE)
    done = begun.copy("counted")
    writes = done.run(WORK)["writes"]
    after = done.result(STATE)
    assert (before["state"], after["state"]) == states
    assert (len(after["texts"]), after["revision"]) == (count, before["revision"] + 1)

    for number in points(writes, KILLS):
        place = begun.copy(f"killed-{number}")
        place.kill(WORK, number)
        assert place.result(STATE) == before
        place.run(WORK)
        assert place.result(STATE) == after


def test_killed_import_changes_nothing_and_succeeds_again(applying):
    killed_work_changes_nothing(applying, ("applying", "applied"), 80)


def test_killed_undo_changes_nothing_and_succeeds_again(undoing):
    killed_work_changes_nothing(undoing, ("undoing", "undone"), 40)


def test_killed_restore_changes_nothing_and_succeeds_again(migrated, applying):
    file = migrated.folder / "backup.jsonl.gz"
    applying.run(f"call_command('backup', {str(file)!r}, verbosity=0)")
    restore = f"call_command('restore', {str(file)!r}, replace=True, verbosity=0)"
    place = migrated.copy("other")
    place.run(PREPARE.replace("google,g-", "facebook,f-"))
    before, wanted = place.result(STATE), applying.result(STATE)
    assert before["texts"] != wanted["texts"]
    done = place.copy("counted")
    writes = done.run(restore)["writes"]
    after = done.result(STATE)
    assert after["texts"] == wanted["texts"]

    for number in points(writes, KILLS):
        killed = place.copy(f"killed-{number}")
        killed.kill(restore, number)
        assert killed.result(STATE) in (before, after)
        killed.run(restore)
        assert killed.result(STATE)["texts"] == after["texts"]
        assert killed.result(PUBLISHED) == 40


@pytest.mark.parametrize(
    ("start", "request_again"), [("applying", ASK_FOR_APPLY), ("undoing", ASK_FOR_UNDO)]
)
def test_full_disk_changes_no_review_and_the_work_succeeds_later(
    applying, undoing, start, request_again
):
    begun = {"applying": applying, "undoing": undoing}[start]
    if begun.server:
        pytest.skip("The files of PostgreSQL belong to processes of its own")
    before = begun.result(STATE)
    place = begun.copy("full")

    place.run(WORK_OR_FAIL, file_bytes=32_768)  # Of the write-ahead log, which grows first.

    kept = place.result(STATE)
    assert kept["state"] in {start, "previewed", "applied"}
    assert {**kept, "state": ""} == {**before, "state": ""}
    # The batch waits for a decision where its refusal could still be stored.
    place.run(WORK if kept["state"] == start else request_again + WORK)
    assert place.result(STATE)["texts"] != before["texts"]
