"""Work that tests interrupt, as code for a process that has `call_command`."""

MIGRATE = "call_command('migrate', verbosity=0)"
MIGRATE_CHECK = "call_command('migrate', check_unapplied=True, verbosity=0)"
# Reviews of two files. The second file changes some, keeps some and adds new ones.
PREPARE = """
import io
from imports import services
from imports.models import ImportOptions
from imports.models import ImportBatch
from reviews.models import Technician

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
    options=ImportOptions(accept=True),
)
batch = services.upload(
    table(*rows(0, 20, "Maren Holt was quick"), *rows(20, 60, "Maren Holt was tidy")),
    file_name="second.csv",
    options=ImportOptions(accept=True),
    by=None,
)
services.preview(batch)
services.IN_REQUEST_ROWS = 0
batch.refresh_from_db()
services.apply(batch)
"""
WORK = """
from imports.models import ImportBatch
from imports.batch import process
ImportBatch.objects.update(claimed_until=None, tries=0)  # As when a killed worker's claim ends.
process(ImportBatch.objects.latest("pk").pk)
"""
# A worker's task logs a database error, and the next sweep retries.
WORK_OR_FAIL = f"""
from django.db import DatabaseError
try:
    exec({WORK!r})
except DatabaseError:
    pass
"""
UNDO_AGAIN = """
from imports import services
from imports.models import ImportBatch
services.IN_REQUEST_ROWS = 0
services.undo(ImportBatch.objects.latest("pk"))
"""
STATE = """
from imports.models import ImportBatch
from reviews.models import Mention, Review, Revision
from django.db import connection
texts = sorted(Review.objects.values_list("external_id", "text"))
result = {
    "state": ImportBatch.objects.latest("pk").state,
    "texts": texts,
    "mentions": Mention.objects.count(),
    "revision": Revision.objects.current(Revision.REVIEWS),
}
"""
APPLY_AGAIN = """
from imports import services
from imports.models import ImportBatch
services.IN_REQUEST_ROWS = 0
services.apply(ImportBatch.objects.latest("pk"))
"""
PUBLISHED = """
import json
from publishing.models import Document
call_command("publish_documents")
result = len(json.loads(Document.objects.get(path="/reviews.json").identity)["reviews"])
"""
