"""Search: CPU per request compared with a plain list, and the slowest page with a full scan.

`python -m tools.benchmarks.search` prints two tables; `requests [--reviews N]` and `pages
[--reviews N]` print one. Goals: at 20,000 reviews, a search for new words is 10 times cheaper than
a list with DRF, django-filter and page numbers. At 100,000 reviews, the slowest page takes at most
1.5 times a full scan, and 200 ms for three characters and more.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tools.benchmarks.measuring import installation, machine, table, verdict

ROUNDS = 5
TIMES_CHEAPER = 10  # At 20,000 reviews.
SCANS, SECONDS = 1.5, 0.2  # At 100,000 reviews.
WORDS = (
    "leak", "kitchen", "furnace", "price", "friendly", "on time", "water heater", "clean", "called",
    "explained", "invoice", "again", "quick", "drain", "tidy", "repair", "office", "morning",
)  # fmt: skip
NEEDLES = {
    "in most texts": "the",
    "two words, common": "on time",
    "common": "water",
    "rare": "sump pump",
    "in no text": "zzzqqq",
    "signs alone": "!?",
    "one letter": "x",
    "one letter, in most texts": "e",
    "two letters, in no text": "zq",
    "two letters, in most texts": "th",
    "200 letters, in no text": "the water heater " * 11 + "was leaking !",
}
FILTERS = (
    "", "rating=1", "rating=5", "since=2025-01-01&until=2025-03-31", "source=google",
    "source=yelp", "language=de", "has_reply=true", "mentions_service=drain-cleaning",
    "changed_since=2026-01-01T00:00:00Z", "sort=oldest", "sort=highest", "sort=lowest",
)  # fmt: skip


def application_of(state: Path, reviews: int) -> Callable[..., Iterable[bytes]]:
    """Load the service in this process, with a new database or that of `DATABASE_URL`."""
    os.environ.update(installation(state))
    import django
    from django.conf import settings

    settings.ROOT_URLCONF = "tools.benchmarks.naive"
    django.setup()
    from django.core.management import call_command

    from reviews.models import Review
    from tools.demo_reviews import __main__ as demo_reviews

    call_command("migrate", verbosity=0)
    if Review.objects.count() != reviews:
        started = time.perf_counter()
        demo_reviews.main(["--reviews", str(reviews)])
        print(f"({time.perf_counter() - started:.0f} s)", file=sys.stderr)
    from config.wsgi import application

    return application


def ask(application: Callable[..., Any], path: str, **headers: str) -> tuple[float, str, int]:
    """Send one GET; return CPU microseconds, status and length of the body."""
    path, _, query = path.partition("?")
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "SCRIPT_NAME": "",
        "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80", "HTTP_HOST": "127.0.0.1",
        "REMOTE_ADDR": "127.0.0.1", "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.url_scheme": "http",
        "wsgi.input": sys.stdin.buffer, **headers,
    }  # fmt: skip
    status = []
    started = time.process_time()
    response = application(environ, lambda line, _headers, _info=None: status.append(line))
    body = b"".join(response)
    spent = time.process_time() - started
    close = getattr(response, "close", None)
    if close:
        close()
    return spent * 1e6, status[0], len(body)


def cost(application: Callable[..., Any], paths: Sequence[str]) -> float:
    """Return median CPU microseconds per request, with each path requested once."""
    spent = []
    for path in paths:
        micros, status, _ = ask(application, path)
        assert status.startswith("200"), (path, status)
        spent.append(micros)
    return statistics.median(spent)


def new_words() -> Iterator[str]:
    """Yield searches for different words of the texts, common and rare."""
    from reviews.models import Review

    known = set(" ".join(WORDS).split())
    texts = (
        Review.objects.visible().exclude(text="").order_by("ulid").values_list("text", flat=True)
    )
    for text in texts.iterator():
        for word in text.lower().split():
            if len(word) >= 4 and word.isalpha() and word not in known:
                known.add(word)
                yield f"/api/reviews/search?query={quote(word)}"


def requests(application: Callable[..., Any], reviews: int) -> str:
    """Measure the CPU time of searches, an empty view and the plain list."""
    for path in ("/empty", "/api/reviews/search", "/naive?page_size=20"):
        ask(application, path)
    words, again = new_words(), "/api/reviews/search?query=leak&limit=5"
    queries: dict[str, Callable[[], Sequence[str]]] = {
        "an empty DRF view": lambda: ["/empty"] * 200,
        "search by a word never asked before, common or rare": lambda: list(islice(words, 20)),
        "the same search again": lambda: [again] * 100,
        "DRF list with django-filter and page numbers": lambda: [
            f"/naive?text={quote(word)}" for word in WORDS[:3]
        ],
    }
    spent: dict[str, list[float]] = {name: [] for name in queries}
    for _ in range(ROUNDS):
        for name, paths in queries.items():
            spent[name].append(cost(application, paths()))
    medians = {name: statistics.median(values) for name, values in spent.items()}
    empty, new, _, usual = medians.values()
    return (
        table(
            f"Search in {reviews:,} reviews ({vendor()}; {machine()})",
            ["request", "CPU µs", "against an empty DRF view"],
            [[name, f"{us:,.0f}", f"{us / empty:.2f}"] for name, us in medians.items()],
        )
        + f"\nA new word: {usual / new:,.0f} times cheaper than the usual list, "
        + verdict(usual / new, TIMES_CHEAPER, at_least=True)
        + ".\n"
    )


def pages(application: Callable[..., Any], reviews: int) -> str:
    """Measure a page per needle, with no filter and with the slowest one."""
    from django.db import connection

    from reviews.current import clear_caches

    def full_scan() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM reviews_review WHERE UPPER(text) LIKE '%ZZZQQQ%'")
            cursor.fetchone()

    def search(query: str) -> None:
        clear_caches()
        ask(application, f"/api/reviews/search?{query}")

    scan = shortest(full_scan)
    rows, worst, worst_indexed = [], 0.0, 0.0
    for kind, needle in {"no query": "", **NEEDLES}.items():
        taken = {
            extra: shortest(partial(search, f"query={quote(needle)}&limit=20&{extra}"))
            for extra in FILTERS
        }
        worst = max(worst, *taken.values())
        if len(needle) >= 3:
            worst_indexed = max(worst_indexed, *taken.values())
        hardest = max(taken, key=taken.__getitem__)
        rows.append(
            [
                f"{kind} (`{needle[:20]}`)",
                f"{taken[''] * 1000:,.1f}",
                f"{taken[hardest] * 1000:,.1f}",
                f"{taken[hardest] / scan:.2f}",
                f"`{hardest}`",
            ]
        )
    return (
        table(
            f"One page of {reviews:,} reviews, nothing cached, best of three ({vendor()})",
            ["needle", "ms", "with the slowest filter, ms", "of a full scan", "filter"],
            [["a full scan with UPPER and LIKE", f"{scan * 1000:,.0f}", "", "1", ""], *rows],
        )
        + f"\nSlowest page {worst / scan:.2f} of the scan, "
        + verdict(worst / scan, SCANS, at_least=False)
        + f". Slowest for three or more characters {worst_indexed * 1000:,.0f} ms, "
        + verdict(worst_indexed * 1000, SECONDS * 1000, at_least=False)
        + ".\n"
    )


def shortest(action: Callable[[], None]) -> float:
    """Return the shortest of three runs, to exclude other load on the machine.

    Measures CPU time for SQLite, which runs in this process, and wall-clock time for PostgreSQL.
    """
    clock = time.process_time if vendor() == "SQLite" else time.perf_counter
    seconds = []
    for _ in range(3):
        started = clock()
        action()
        seconds.append(clock() - started)
    return min(seconds)


def vendor() -> str:
    from django.db import connection

    return "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"


TABLES = {"requests": (requests, 20_000), "pages": (pages, 100_000)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", choices=TABLES)
    parser.add_argument("--reviews", type=int)
    given = parser.parse_args()
    if given.table is None:  # Each table needs its own database, and Django has one per process.
        for table_name in TABLES:
            subprocess.run(
                [sys.executable, "-m", "tools.benchmarks.search", table_name], check=True
            )
        return
    measure, usual = TABLES[given.table]
    reviews = given.reviews or usual
    with tempfile.TemporaryDirectory() as state:
        application = application_of(Path(os.environ.get("BENCH_STATE", state)), reviews)
        print(measure(application, reviews), flush=True)


if __name__ == "__main__":
    main()
