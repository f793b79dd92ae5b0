"""Edits: how soon each document shows one, and what readers notice while documents are published.

`python -m tools.benchmarks.edits [--reviews N] [--edits N]` prints tables. Goals: each document
shows an edit within a second, with and without a worker (`/insights.json`, which is a worker's
task, within five); while documents are published no read fails, every ETag fits its body, and the
slowest hundredth of the reads takes at most twice as long. `DATABASE_URL` may name an empty
database.
"""

import argparse
import contextlib
import hashlib
import http.client
import itertools
import multiprocessing
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event
from pathlib import Path

from tools.benchmarks.documents import demo_environment, granian
from tools.benchmarks.measuring import ROOT, Server, free_port, machine, serving, table, verdict

DOCUMENTS = ("/reviews.json", "/api/feed.json", "/feed.xml")
INSIGHTS = "/insights.json"
GOALS = dict.fromkeys(DOCUMENTS, 1.0) | {INSIGHTS: 5.0}
NEWEST = 50  # Reviews that are in every document.
LOOK_SECONDS = 0.01
LONGEST_SECONDS = 60.0
PAUSE_SECONDS = 1.0  # Between two edits, so that each is published by itself.

READERS = 4
READ_SECONDS = 6
ROUNDS = 5
READ_PAUSE_SECONDS = 0.005


def edited() -> None:
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


@contextlib.contextmanager
def worker(env: Mapping[str, str]) -> Iterator[None]:
    command = [sys.executable, "-m", "celery", "-A", "config", "-q", "worker"]
    process = subprocess.Popen(
        [*command, "--pool", "threads", "--concurrency", "5", "-n", f"bench-{os.getpid()}@%h"],
        cwd=ROOT,
        env={**os.environ, **env},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


# --- How soon -------------------------------------------------------------------------------------


def seconds_until_shown(server: Server, paths: Sequence[str]) -> dict[str, float]:
    """How long after the commit of an edit each document shows it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)

    def tag(path: str) -> str | None:
        connection.request("HEAD", path)
        response = connection.getresponse()
        response.read()
        return response.getheader("ETag")

    before = {path: tag(path) for path in paths}
    edited()
    committed = time.perf_counter()
    shown: dict[str, float] = {}
    while len(shown) < len(paths):
        for path in before.keys() - shown.keys():
            if tag(path) != before[path]:
                shown[path] = time.perf_counter() - committed
        if time.perf_counter() - committed > LONGEST_SECONDS:
            sys.exit(f"An edit is not shown by {set(paths) - shown.keys()} after a minute.")
        time.sleep(LOOK_SECONDS)
    return shown


def how_soon(server: Server, paths: Sequence[str], edits: int) -> list[list[str]]:
    seconds_until_shown(server, paths)  # What a process that has just started must do once.
    took = []
    for _ in range(edits):
        time.sleep(PAUSE_SECONDS)
        took.append(seconds_until_shown(server, paths))
    rows = []
    for path in paths:
        seconds = sorted(each[path] for each in took)
        slow = percentile(seconds, 0.99)
        rows.append(
            [path, f"{statistics.median(seconds):.2f}", f"{slow:.2f}",
             verdict(slow, GOALS[path], at_least=False)]
        )  # fmt: skip
    return rows


def percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


# --- Meanwhile ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Reading:
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def read(server: Server, seconds: float, reading: Reading) -> None:
    """Read documents in turn, plain and compressed, and hold each body against its ETag."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    end = time.perf_counter() + seconds
    for path, coding in itertools.cycle(itertools.product(DOCUMENTS, ("identity", "gzip"))):
        started = time.perf_counter()
        if started > end:
            return
        connection.request("GET", path, headers={"Accept-Encoding": coding})
        response = connection.getresponse()
        body = response.read()
        reading.seconds.append(time.perf_counter() - started)
        plain = zlib.decompress(body, wbits=31) if coding == "gzip" else body
        digest = hashlib.sha256(plain).hexdigest()[:32]
        wanted = f'"{digest}"' if coding == "identity" else f'"{digest}-{coding}"'
        if response.status != 200 or response.getheader("ETag") != wanted:
            reading.errors.append(f"{path} {response.status} {response.getheader('ETag')}")
        time.sleep(READ_PAUSE_SECONDS)


@contextlib.contextmanager
def editor() -> Iterator[Event]:
    """A process that edits twice a second while the event is set."""
    context = multiprocessing.get_context("spawn")
    editing = context.Event()
    process = context.Process(target=edit_while, args=(editing,), daemon=True)
    process.start()
    try:
        yield editing
    finally:
        process.terminate()
        process.join()


def edit_while(editing: Event) -> None:
    import django

    django.setup()
    while editing.wait():
        edited()
        time.sleep(0.5)


def read_for(seconds: float, server: Server, reading: Reading) -> None:
    readers = [
        threading.Thread(target=read, args=(server, seconds, reading)) for _ in range(READERS)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()


def what_readers_notice(server: Server) -> tuple[list[list[str]], float]:
    """The rows of the table, and how much longer the slowest hundredth takes."""
    quiet, busy = Reading(), Reading()
    with editor() as editing:
        for _ in range(ROUNDS):
            read_for(READ_SECONDS, server, quiet)
            editing.set()
            read_for(READ_SECONDS, server, busy)
            editing.clear()
            time.sleep(PAUSE_SECONDS)
    rows, slow = [], []
    for name, reading in {"nothing changes": quiet, "two edits a second": busy}.items():
        ordered = sorted(reading.seconds)
        slow.append(percentile(ordered, 0.99))
        rows.append(
            [name, f"{len(ordered):,}", str(len(reading.errors)),
             f"{statistics.median(ordered) * 1000:.1f}", f"{slow[-1] * 1000:.1f}"]
        )  # fmt: skip
    return rows, slow[1] / slow[0]


# --- The tables -----------------------------------------------------------------------------------


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
            alone = how_soon(server, DOCUMENTS, edits)
            noticed, ratio = what_readers_notice(server)
        with serve(env) as server, worker(env):
            together = how_soon(server, (*DOCUMENTS, INSIGHTS), edits)
        return "\n".join(
            [
                table(f"Until {edits} edits of {reviews:,} reviews are shown ({where})",
                      ["", *columns],
                      [["a web process alone", *row] for row in alone]
                      + [["with a worker", *row] for row in together]),
                table(f"Reads while {reviews:,} reviews are published ({where})",
                      ["meanwhile", "reads", "errors", "median ms", "99 % ms"], noticed),
                f"The slowest hundredth takes {ratio:.1f} times as long: "
                + verdict(ratio, 2, at_least=False) + ".\n",
            ]
        )  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, default=20_000)
    parser.add_argument("--edits", type=int, default=50)
    arguments = parser.parse_args()
    print(measure(arguments.reviews, arguments.edits))
