"""Import and publish: 100,000 rows beside a raw upsert, and one publication beside gzip.

`python -m tools.benchmarks.imports [--rows N]` prints tables. Goals: an import within 10 times the
raw upsert of the same rows, into a table with nothing but keys, and 300 MB; the same file again
without a write; a publication within 2 times what gzip 6 takes for the same bytes. CPU seconds are
those of the process, its children and its connection to PostgreSQL on this machine, so that they
hold on a machine that others use.
"""

import argparse
import contextlib
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tools.benchmarks.measuring import (
    ROOT,
    TICKS,
    cpu_ticks,
    installation,
    machine,
    table,
    verdict,
)

# Runs in a process of its own, so that its memory is its own.
CHILD = """
import json, resource, sys, time
import django
django.setup()
from tools.benchmarks import imports
result = getattr(imports, sys.argv[1])(*sys.argv[2:])
whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
peaks = [resource.getrusage(of).ru_maxrss for of in whose]
result["peak_mb"] = sum(peaks) / 1024
print("RESULT", json.dumps(result))
"""


def run_child(env: dict[str, str], step: str, *args: str) -> dict[str, float]:
    output = subprocess.run(
        [sys.executable, "-c", CHILD, step, *args],
        cwd=ROOT, env=env, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    line = next(line for line in output.splitlines() if line.startswith("RESULT "))
    result: dict[str, float] = json.loads(line.removeprefix("RESULT "))
    return result


@contextlib.contextmanager
def timed() -> Iterator[dict[str, float]]:
    """Measure the seconds of a block, and its seconds of CPU."""
    spent: dict[str, float] = {}
    started, cpu = time.perf_counter(), cpu_seconds()
    yield spent
    spent["seconds"] = time.perf_counter() - started
    spent["cpu"] = cpu_seconds() - cpu


def cpu_seconds() -> float:
    """CPU time of this process, of children that have ended, and of the database's backend."""
    from django.db import connection

    own = sum(os.times()[:4])
    if connection.vendor != "postgresql":
        return own
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return own + cpu_ticks(cursor.fetchone()[0]) / TICKS


def import_file(path: str, *options: str) -> dict[str, float]:
    from django.core.management import call_command

    from reviews.models import Revision

    before = Revision.objects.current(Revision.REVIEWS)
    with timed() as spent, open(os.devnull, "w") as silent:
        call_command("import_reviews", path, "--accept", *options, stdout=silent, stderr=silent)
    return spent | {"revisions": Revision.objects.current(Revision.REVIEWS) - before}


def raw_upsert(into: str = "reviews_review") -> dict[str, float]:
    """Writes the rows that are there again, into the emptied table, indexes included.

    Or into a table of another name, which has nothing but the two keys.
    """
    from django.db import connection, transaction

    from reviews.models import Review

    columns = [field.column for field in Review._meta.concrete_fields]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)} FROM reviews_review")
        rows = cursor.fetchall()
        if into == "reviews_review":
            # The same table, emptied: indexes, constraints and triggers cost what they cost.
            cursor.execute("DELETE FROM reviews_mention")
            cursor.execute("DELETE FROM reviews_review")
        else:
            cursor.execute(f"CREATE TABLE {into} AS SELECT * FROM reviews_review LIMIT 0")
            cursor.execute(f"CREATE UNIQUE INDEX {into}_id ON {into} (id)")
            cursor.execute(f"CREATE UNIQUE INDEX {into}_key ON {into} (source, external_id)")
    if connection.vendor == "postgresql":
        from psycopg.types.json import Jsonb

        rows = [tuple(Jsonb(v) if isinstance(v, list | dict) else v for v in row) for row in rows]
    marks = ", ".join(["%s"] * len(columns))
    updates = ", ".join(f"{c} = excluded.{c}" for c in columns if c not in {"id", "ulid"})
    sql = (
        f"INSERT INTO {into} ({', '.join(columns)}) VALUES ({marks})"
        f" ON CONFLICT (source, external_id) DO UPDATE SET {updates}"
    )
    with timed() as spent, transaction.atomic(), connection.cursor() as cursor:
        for start in range(0, len(rows), 2000):
            cursor.executemany(sql, rows[start : start + 2000])
    return spent


def publish() -> dict[str, float]:
    from publishing.models import Document
    from publishing.publisher import publish_due

    Document.objects.all().delete()
    with timed() as spent:
        publish_due()
    return spent


def publish_dataset() -> dict[str, float]:
    """`/reviews.json` alone: build, encode three ways, store."""
    from publishing.models import Document
    from publishing.publisher import publish
    from publishing.registry import registry

    Document.objects.all().delete()
    with timed() as spent:
        publish(registry["/reviews.json"])
    body = bytes(Document.objects.get(path="/reviews.json").identity)
    with timed() as alone:
        gzip.compress(body, 6)
    return spent | {"gzip_seconds": alone["seconds"], "megabytes": len(body) / 1e6}


def write_csv(path: Path, rows: int, *, ending: str = "") -> None:
    """The demo's reviews as a spreadsheet with ids, with more at the end of every text."""
    from demo import generate

    with path.open("w", newline="", encoding="utf-8") as file:
        sheet = csv.writer(file)
        sheet.writerow(["review_id", "author", "rating", "date", "text", "source", "owner_reply",
                        "owner_reply_date"])  # fmt: skip
        for number, review in enumerate(generate(reviews=rows)):
            sheet.writerow([
                f"r-{number}", review.author, review.rating, review.date, review.text + ending,
                "survey", review.reply_text, review.reply_date or "",
            ])  # fmt: skip


def measure(rows: int) -> dict[str, dict[str, float]]:
    """Time of each step, by its name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = installation(folder, DATABASE_URL=os.environ.get("DATABASE_URL", ""))
        for command in (("migrate", "-v0"), ("make_demo", "--reviews", "1")):
            subprocess.run([sys.executable, "manage.py", *command],
                           cwd=ROOT, env=env, check=True, capture_output=True)  # fmt: skip
        sheet, later = str(folder / "reviews.csv"), str(folder / "later.csv")
        write_csv(Path(sheet), rows)
        write_csv(Path(later), rows, ending=" They came back to check.")
        return {
            "first": run_child(env, "import_file", sheet),
            "again": run_child(env, "import_file", sheet),
            # Another option than the first time: the file is read and compared, row by row.
            "compared": run_child(env, "import_file", sheet, "--round-half-up"),
            "dataset": run_child(env, "publish_dataset"),
            "everything": run_child(env, "publish"),
            "plain": run_child(env, "raw_upsert", "plain_reviews"),
            "raw": run_child(env, "raw_upsert"),
            "changed": run_child(env, "import_file", later),
        }


def format_table(rows: int, steps: dict[str, dict[str, float]]) -> str:
    first, again, compared, changed = (
        steps[name] for name in ("first", "again", "compared", "changed")
    )
    plain, raw, dataset = (steps[name] for name in ("plain", "raw", "dataset"))
    assert first["revisions"] == changed["revisions"] == 1, steps
    assert again["revisions"] == compared["revisions"] == 0, steps
    spent = "cpu"
    ratio = first[spent] / plain[spent]
    full = compared[spent] / first[spent]
    published = dataset["seconds"] / dataset["gzip_seconds"]
    against = {
        "raw upsert of the same rows into a table with keys alone": (plain, "1"),
        "raw upsert of the same rows into the same table, emptied": (
            raw, f"{raw[spent] / plain[spent]:.1f}"),
        "import of a CSV file": (
            first,
            f"{ratio:.1f} of the first upsert, {first[spent] / raw[spent]:.2f} of the second"),
        "the same file again": (again, f"{again[spent] / first[spent]:.3f} of the first time"),
        "again, every row compared": (compared, f"{full:.2f} of the first time"),
        "import of the file with every text changed": (
            changed, f"{changed[spent] / first[spent]:.1f} of the first time"),
        f"publish /reviews.json ({dataset['megabytes']:.0f} MB)": (
            dataset, f"{published:.2f} of gzip 6 alone ({dataset['gzip_seconds']:.1f} s)"),
        "publish every document": (steps["everything"], ""),
    }  # fmt: skip
    database = "PostgreSQL" if "DATABASE_URL" in os.environ else "SQLite"
    return (
        table(
            f"Import and publish {rows:,} reviews ({database}; {machine()})",
            ["step", "s", "CPU s", "peak MB", "ratio"],
            [
                [name, f"{step['seconds']:.1f}", f"{step['cpu']:.1f}", f"{step['peak_mb']:.0f}", of]
                for name, (step, of) in against.items()
            ],
        )
        + f"\nImport against the raw upsert with keys alone {ratio:.1f}: "
        + verdict(ratio, 10, at_least=False)
        + f"; memory {first['peak_mb']:.0f} MB: "
        + verdict(first["peak_mb"], 300, at_least=False)
        + f"; publish against gzip 6 {published:.2f}: "
        + verdict(published, 2, at_least=False)
        + ".\n"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    print(format_table(rows, measure(rows)))
