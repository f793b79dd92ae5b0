"""Import and publish, compared with an upsert of the same rows.

`python -m tools.benchmarks.imports [--rows N]` prints a table. Goals: an import of 20,000 rows
within twice the upsert, public within 15 seconds of one core; 100,000 rows within 300 MB and 90
seconds of one core. CPU seconds are those of the process, its children and its backend of
PostgreSQL, so that other load on the machine matters little.
"""

import argparse
import contextlib
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tools.benchmarks.measuring import ROOT, TICKS, cpu_ticks, installation, machine, table, verdict

# Runs in a separate process, to measure its memory.
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
    """Measure wall-clock and CPU seconds of a block."""
    spent: dict[str, float] = {}
    started, cpu = time.perf_counter(), cpu_seconds()
    yield spent
    spent["seconds"] = time.perf_counter() - started
    spent["cpu"] = cpu_seconds() - cpu


def cpu_seconds() -> float:
    """Return the CPU time of this process, ended children, and the database's backend."""
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


def raw_upsert() -> dict[str, float]:
    """Empty the table, and insert its rows again."""
    from django.db import connection, transaction

    from reviews.models import Review

    columns = [field.column for field in Review._meta.concrete_fields]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)} FROM reviews_review")
        rows = cursor.fetchall()
        cursor.execute("DELETE FROM reviews_mention")
        cursor.execute("DELETE FROM reviews_review")
    if connection.vendor == "postgresql":
        from psycopg.types.json import Jsonb

        rows = [tuple(Jsonb(v) if isinstance(v, list | dict) else v for v in row) for row in rows]
    marks = ", ".join(["%s"] * len(columns))
    updates = ", ".join(f"{c} = excluded.{c}" for c in columns if c not in {"id", "ulid"})
    sql = (
        f"INSERT INTO reviews_review ({', '.join(columns)}) VALUES ({marks})"
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


def write_csv(path: Path, rows: int) -> None:
    """Write the demo's reviews as CSV with ids."""
    from tools.demo_reviews import generate

    with path.open("w", newline="", encoding="utf-8") as file:
        sheet = csv.writer(file)
        sheet.writerow(["review_id", "author", "rating", "date", "text", "source", "owner_reply",
                        "owner_reply_date"])  # fmt: skip
        for number, review in enumerate(generate(reviews=rows)):
            sheet.writerow([
                f"r-{number}", review.author, review.rating, review.date, review.text,
                "survey", review.reply_text, review.reply_date or "",
            ])  # fmt: skip


def measure(rows: int) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = installation(folder, DATABASE_URL=os.environ.get("DATABASE_URL", ""))
        demo = ("-m", "tools.demo_reviews", "--reviews", "1")
        for command in (("manage.py", "migrate", "-v0"), demo):
            subprocess.run([sys.executable, *command],
                           cwd=ROOT, env=env, check=True, capture_output=True)  # fmt: skip
        sheet = folder / "reviews.csv"
        write_csv(sheet, rows)
        steps = {
            "import of a CSV file": run_child(env, "import_file", str(sheet)),
            "the same file again": run_child(env, "import_file", str(sheet)),
            "publish every document": run_child(env, "publish"),
            "upsert of the same rows into the emptied table": run_child(env, "raw_upsert"),
        }
    first, again, published, raw = steps.values()
    assert (first["revisions"], again["revisions"]) == (1, 0), steps
    public, ratio = first["cpu"] + published["cpu"], first["cpu"] / raw["cpu"]
    goals = (2, 15, 300) if rows <= 20_000 else (2, 90, 300)
    checked = zip(
        ("Against the upsert", "public after CPU s", "MB"),
        (ratio, public, first["peak_mb"]), goals, strict=True,
    )  # fmt: skip
    verdicts = [
        f"{what} {value:.1f}: {verdict(value, goal, at_least=False)}"
        for what, value, goal in checked
    ]
    database = "PostgreSQL" if "DATABASE_URL" in os.environ else "SQLite"
    return (
        table(
            f"Import and publish {rows:,} reviews ({database}; {machine()})",
            ["step", "s", "CPU s", "peak MB"],
            [
                [name, *(f"{step[key]:.1f}" for key in ("seconds", "cpu", "peak_mb"))]
                for name, step in steps.items()
            ],
        )
        + f"\n{'; '.join(verdicts)}.\n"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, action="append")
    for count in parser.parse_args().rows or (20_000, 100_000):
        print(measure(count), flush=True)
