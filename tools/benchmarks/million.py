"""A whole change to a million subscribers: real rows, a network that acknowledges at once.

`python -m tools.benchmarks.million` prints a table; `DATABASE_URL` chooses PostgreSQL. What is
measured is everything but the network: finding who is due, claiming, writing results and attempts
down, by several workers over one database, from the first row to the last. A real network adds what
`tools.benchmarks.fanout` measures for each delivery.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tools.benchmarks.measuring import ROOT, installation, machine, table

BASE_URL = "http://localhost"
PATH = "/api/feed.json"
TOPIC = f"{BASE_URL}{PATH}"
HOSTS = 10_000
PARTS = 10

Figures = dict[str, Any]

# --- A worker, a process of its own ---------------------------------------------------------------


def work() -> Figures:
    """Deliver until nothing is due; how many were recorded by when, and what it took."""
    from websub import client, conf, delivery
    from websub.claims import FAST

    recorded: list[tuple[float, int]] = []
    record_results = delivery.record_results

    def record_and_time(results: Any) -> Any:
        removed = record_results(results)
        recorded.append((time.time(), len(results)))
        return removed

    client.Connection.request = lambda *_, **__: client.Outcome(204)  # type: ignore[method-assign]
    delivery.record_results = record_and_time
    conf.client()
    cpu = time.process_time()
    while delivery.deliver(FAST).processed:
        pass
    return {
        "recorded": recorded,
        "cpu": time.process_time() - cpu,
        "mb": _peak_mb(),
    }


def _peak_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


# --- Rows -----------------------------------------------------------------------------------------


def fill(count: int) -> None:
    """So many subscriptions of one topic over many hosts, and a document that nobody has yet."""
    import datetime as dt
    import gzip

    from django.db import connection
    from django.utils import timezone

    from publishing.models import Document
    from websub.models import Subscription

    expires_at = timezone.now() + dt.timedelta(days=10)
    for start in range(0, count, 20_000):
        Subscription.objects.bulk_create(
            [
                Subscription(
                    key=f"row-{number}",
                    callback=f"https://host-{number % HOSTS}.example/{number}",
                    callback_host=f"host-{number % HOSTS}.example",
                    topic=TOPIC,
                    lease_seconds=864_000,
                    expires_at=expires_at,
                )
                for number in range(start, min(start + 20_000, count))
            ],
            batch_size=1_000,
        )
    Document.objects.update_or_create(
        path=PATH, defaults={"version": 1, "gzip": gzip.compress(b"{}" * 15_000)}
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # As autovacuum does wherever it is not turned off.


def left() -> int:
    from websub.models import Subscription

    return Subscription.objects.exclude(acknowledged_version=1).count()


# --- The report -----------------------------------------------------------------------------------


def measure(rows: int, workers: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        database_url = os.environ.get("DATABASE_URL", "")
        env = installation(Path(folder), BASE_URL=BASE_URL, DATABASE_URL=database_url)

        def start(*step: str) -> subprocess.Popen[str]:
            command = [sys.executable, "-m", "tools.benchmarks.million", *step]
            return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)

        migrate = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(migrate, cwd=ROOT, env=env, check=True)
        assert start("fill", str(rows)).wait() == 0
        started = time.time()
        running = [start("work") for _ in range(workers)]
        figures: list[Figures] = [json.loads(worker.communicate()[0]) for worker in running]
        remaining = int(start("left").communicate()[0])
        database = "PostgreSQL" if database_url else "SQLite"
        return _table(figures, started, rows, remaining, database)


def _table(figures: list[Figures], started: float, rows: int, remaining: int, database: str) -> str:
    recorded = sorted(tuple(entry) for worker in figures for entry in worker["recorded"])
    done, at, marks = 0, started, []
    for when, count in recorded:
        done += count
        if done >= rows * (len(marks) + 1) / PARTS:
            marks.append((when - at, when - started))
            at = when
    seconds = recorded[-1][0] - started
    cpu = sum(worker["cpu"] for worker in figures)
    return (
        table(
            f"A whole change to {rows:,} subscribers, {len(figures)} workers, a network that"
            f" acknowledges at once ({database}; {machine()})",
            ["minutes", "deliveries / s", "first tenth / s", "last tenth / s", "CPU ms of each",
             "peak MB of a worker", "acknowledged", "more than once", "left"],
            [
                [
                    f"{seconds / 60:.1f}",
                    f"{done / seconds:,.0f}",
                    f"{rows / PARTS / marks[0][0]:,.0f}",
                    f"{rows / PARTS / marks[-1][0]:,.0f}",
                    f"{cpu / done * 1000:.2f}",
                    f"{max(worker['mb'] for worker in figures):.0f}",
                    f"{rows - remaining:,}",
                    f"{done - (rows - remaining):,}",
                    f"{remaining:,}",
                ]
            ],
        )
        + "\n"
    )  # fmt: skip


def main() -> None:
    match sys.argv[1:]:
        case ["fill" | "work" | "left" as step, *count]:
            import django

            django.setup()
            if step == "fill":
                fill(int(count[0]))
            else:
                print(json.dumps(work() if step == "work" else left()))
        case _:
            parser = argparse.ArgumentParser(description=__doc__)
            parser.add_argument("--rows", type=int, default=1_000_000, metavar="N")
            parser.add_argument("--workers", type=int, default=2, metavar="N")
            given = parser.parse_args()
            print(measure(given.rows, given.workers))


if __name__ == "__main__":
    main()
