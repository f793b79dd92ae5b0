"""Edits: the time until each document shows an edit.

`python -m tools.benchmarks.edits [--reviews N] [--edits N]` prints a table. Goals: each document
shows an edit within a second, with and without a worker; `/insights.json`, which needs a worker,
within five. `DATABASE_URL` may name an empty database.
"""

import argparse
import contextlib
import http.client
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.benchmarks.documents import demo_environment, granian
from tools.benchmarks.measuring import Server, free_port, machine, running, serving, table, verdict

DOCUMENTS = ("/reviews.json", "/api/feed.json", "/feed.xml")
INSIGHTS = "/insights.json"
GOALS = dict.fromkeys(DOCUMENTS, 1.0) | {INSIGHTS: 5.0}
NEWEST = 50  # Reviews that every document contains.
POLL_SECONDS = 0.01
MAX_SECONDS = 60.0
PAUSE_SECONDS = 1.0  # Between two edits, so that each is published separately.


def edit() -> None:
    """Commit an edit that every document shows."""
    from reviews.models import Review

    newest = Review.objects.visible().newest_first()[:NEWEST]
    review = random.choice(newest)
    review.text = f"{(review.text or '')[:300]} Seen again {time.time()}."
    review.rating = review.rating % 5 + 1
    review.save()


def serve(env: Mapping[str, str]) -> contextlib.AbstractContextManager[Server]:
    port = free_port()
    command = granian("config.wsgi:application", port)
    return serving("web", command, port, ready=DOCUMENTS[0], env=env)


def worker(env: Mapping[str, str]) -> contextlib.AbstractContextManager[object]:
    command = [sys.executable, "-m", "celery", "-A", "config", "-q", "worker"]
    command += ["--pool", "threads", "--concurrency", "5", "-n", f"bench-{os.getpid()}@%h"]
    return running(command, env)


def seconds_until_shown(server: Server, paths: Sequence[str]) -> dict[str, float]:
    """Make an edit; return by path the time until the document shows it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)

    def tag(path: str) -> str | None:
        connection.request("HEAD", path)
        response = connection.getresponse()
        response.read()
        return response.getheader("ETag")

    before = {path: tag(path) for path in paths}
    edit()
    committed = time.perf_counter()
    shown: dict[str, float] = {}
    while len(shown) < len(paths):
        for path in before.keys() - shown.keys():
            if tag(path) != before[path]:
                shown[path] = time.perf_counter() - committed
        if time.perf_counter() - committed > MAX_SECONDS:
            sys.exit(f"An edit is not shown by {set(paths) - shown.keys()} after a minute.")
        time.sleep(POLL_SECONDS)
    return shown


def measure_edits(server: Server, paths: Sequence[str], edits: int) -> list[list[str]]:
    seconds_until_shown(server, paths)  # Warm up.
    took = []
    for _ in range(edits):
        time.sleep(PAUSE_SECONDS)
        took.append(seconds_until_shown(server, paths))
    rows = []
    for path in paths:
        seconds = sorted(each[path] for each in took)
        slow = seconds[int(len(seconds) * 0.99)]
        rows.append(
            [path, f"{statistics.median(seconds):.2f}", f"{slow:.2f}",
             verdict(slow, GOALS[path], at_least=False)]
        )  # fmt: skip
    return rows


def measure(reviews: int, edits: int) -> str:
    with tempfile.TemporaryDirectory() as name:
        env = demo_environment(Path(name), reviews, os.environ.get("DATABASE_URL", ""))
        os.environ.update(env)
        import django
        from django.db import connection

        django.setup()
        where = f"{connection.display_name}; {machine()}"
        columns = ["document", "median s", "99 % s", ""]
        with serve(env) as server:
            alone = measure_edits(server, DOCUMENTS, edits)
        with serve(env) as server, worker(env):
            together = measure_edits(server, (*DOCUMENTS, INSIGHTS), edits)
        rows = [["a web process alone", *row] for row in alone]
        rows += [["with a worker", *row] for row in together]
        heading = f"Until {edits} edits of {reviews:,} reviews are shown ({where})"
        return table(heading, ["", *columns], rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, default=20_000)
    parser.add_argument("--edits", type=int, default=50)
    arguments = parser.parse_args()
    print(measure(arguments.reviews, arguments.edits))
