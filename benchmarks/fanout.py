"""One change to many subscribers: CPU of each delivery, 10,000 of them, some that hang, a million.

`python -m benchmarks.fanout` prints tables. Goals: a delivery with its rows at 1.3 times the same
threads without them or less, and 3 times raw sockets; 10,000 subscribers in 25 seconds of one core;
with 5 % of callbacks that never answer, the others done in 1.5 times the time; the first batch to a
million subscribers within 10 seconds, in the same memory. The sink runs on the other core.
"""

import argparse
import asyncio
import contextlib
import gzip
import json
import os
import re
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import certifi
import trustme

from benchmarks import deliveries
from benchmarks.deliveries import BODY, HOST, THREADS
from benchmarks.measuring import (
    LOAD_CORE,
    ROOT,
    machine,
    require,
    sinking,
    table,
    verdict,
)

# Many hosts, each with connections and a place in the pool of its own, as subscribers have.
HOSTS = [f"127.0.0.{number}" for number in range(2, 66)]
ROUNDS = 3
BASE_URL = "http://localhost"
PATH = "/api/feed.json"
SETTLED_ROWS = 1_000  # Of the million, before its memory is looked at for the first time.
MILLION_SECONDS = 12.0

Figures = dict[str, Any]

# --- The sink, a process of its own ---------------------------------------------------------------


async def sink(port: int, certificate: str) -> None:
    """Acknowledges a post and closes its connection; posts to /hang/ wait for ever."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if length := re.search(rb"(?i)\r\ncontent-length: *(\d+)", head):
                await reader.readexactly(int(length[1]))
            if head.startswith(b"POST /hang/"):
                await reader.read()  # Until the other side gives up.
            else:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, [HOST, *HOSTS], port, ssl=context, backlog=512)
    await server.serve_forever()


# --- Steps, each in a process of its own ----------------------------------------------------------


def cost(port: int, bundle: str, count: int) -> Figures:
    """CPU milliseconds of a delivery, each way in turn."""
    from websub.models import Subscription

    ways: Mapping[str, Callable[[], float]] = {
        "raw": lambda: _without_rows(deliveries.raw_sockets(port, bundle), count),
        "client": lambda: _without_rows(deliveries.hub_client(port, bundle), count),
        "rows": lambda: _fan_out().cpu_seconds / count * 1000,
        "signed": lambda: _fan_out().cpu_seconds / count * 1000,
    }
    _subscribe(THREADS, port)
    _fan_out()  # Starts the threads.
    spent: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, run in ways.items():
            if way in {"rows", "signed"}:
                Subscription.objects.all().delete()
                _subscribe(count, port, secret="a secret of theirs" if way == "signed" else "")
            spent[way].append(run())
    return {way: statistics.median(values) for way, values in spent.items()}


def _without_rows(deliver: Callable[[], None], count: int) -> float:
    deliver()
    return deliveries.cpu_ms(deliver, count, threads=THREADS, per_call=1)


def many(port: int, bundle: str, count: int) -> Figures:
    _subscribe(count, port)
    spent = _fan_out()
    return {"cpu": spent.cpu_seconds, "seconds": spent.healthy_seconds, "count": _acknowledged()}


def hanging(port: int, bundle: str, count: int) -> Figures:
    """Seconds until the healthy ones have it: without the others, at first, and from then on."""
    from websub.models import Subscription

    _subscribe(count, port)
    alone = [_fan_out().healthy_seconds for _ in range(ROUNDS)]
    Subscription.objects.all().delete()
    _subscribe(count, port, hanging_every=20)
    first = _fan_out().healthy_seconds
    later = [_fan_out(with_slow_lane=True).healthy_seconds for _ in range(ROUNDS - 1)]
    return {"alone": statistics.median(alone), "first": first, "later": statistics.median(later)}


def fill(port: int, bundle: str, count: int) -> Figures:
    """Rows for so many subscribers by one statement."""
    from django.db import connection

    from websub.models import Subscription

    _subscribe(1, port)
    columns = [f.column for f in Subscription._meta.concrete_fields if f.column != "id"]
    # A plain column of the one row that is there, or what makes each new one its own.
    number = "CAST(number AS VARCHAR(20))"
    own = {
        "key": f"'many-' || {number}",
        "callback": f"'https://host-' || {number} || '.example/callback'",
        "callback_host": f"'host-' || {number} || '.example'",
    }
    started = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE numbers(number) AS "
            f"(SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < {count}) "
            f"INSERT INTO websub_subscription ({', '.join(columns)}) "
            f"SELECT {', '.join(own.get(column, column) for column in columns)} "
            "FROM numbers, websub_subscription"
        )
        cursor.execute("ANALYZE")
    return {"seconds": time.perf_counter() - started, "count": Subscription.objects.count()}


def million(port: int, bundle: str, count: int) -> Figures:
    """The start of a fan-out, with a network that acknowledges everything at once."""
    from websub import client, delivery
    from websub.claims import FIRST
    from websub.models import Subscription

    settled: list[tuple[float, int, float]] = []
    done = 0
    settle = delivery.settle

    def settle_and_look(results: Any) -> Any:
        nonlocal done
        removed = settle(results)
        done += len(results)
        settled.append((time.perf_counter(), done, _private_mb()))
        return removed

    client.Connection.request = lambda *_, **__: client.Outcome(204)  # type: ignore[method-assign]
    delivery.settle = settle_and_look
    assert Subscription.objects.count() == count
    _publish()
    before = _private_mb()
    started, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - started < MILLION_SECONDS:
        delivery.deliver(FIRST)
    early = next(mb for _, so_far, mb in settled if so_far >= SETTLED_ROWS)
    return {
        "first": settled[0][0] - started,
        "before_mb": before,
        "early_mb": early,
        "late_mb": settled[-1][2],
        "settled": done,
        "cpu_ms": (time.process_time() - cpu) / done * 1000,
    }


STEPS = {step.__name__: step for step in (cost, many, hanging, fill, million)}


class Spent:
    def __init__(self, cpu_seconds: float, healthy_seconds: float) -> None:
        self.cpu_seconds = cpu_seconds
        self.healthy_seconds = healthy_seconds


def _fan_out(*, with_slow_lane: bool = False) -> Spent:
    """A new version to everybody: CPU of it all, and the time until the last acknowledgement."""
    from django.db.models import Max
    from django.utils import timezone

    from websub import delivery
    from websub.claims import FIRST, SLOW
    from websub.models import Subscription

    Subscription.objects.update(next_attempt_at=timezone.now(), misses=0)
    _publish()
    slow = threading.Thread(target=delivery.deliver, args=(SLOW,))
    started_at, cpu = timezone.now(), time.process_time()
    if with_slow_lane:
        slow.start()
    while delivery.deliver(FIRST).is_cut_short:
        pass
    spent = time.process_time() - cpu
    if with_slow_lane:
        slow.join()
    last = Subscription.objects.filter(last_status=200).aggregate(at=Max("last_attempt_at"))["at"]
    return Spent(spent, (last - started_at).total_seconds())


def _publish() -> None:
    from publishing.models import Document

    document, _ = Document.objects.get_or_create(path=PATH)
    document.version += 1
    document.gzip = gzip.compress(BODY)
    document.save()


def _subscribe(count: int, port: int, *, secret: str = "", hanging_every: int = 0) -> None:
    import datetime as dt

    from django.utils import timezone

    from websub.models import Subscription
    from websub.secrets import encrypt

    encrypted = encrypt(secret)
    rows = []
    for number in range(count):
        hangs = hanging_every and number % hanging_every == 0
        # A host of their own: nobody else waits in their line.
        host = HOSTS[number // hanging_every % len(HOSTS)] if hangs else HOSTS[number % len(HOSTS)]
        rows.append(
            Subscription(
                key=f"row-{number}",
                callback=f"https://{host}:{port}/{'hang' if hangs else 'new'}/{number}",
                callback_host=f"hanging-{number}" if hangs else host,
                topic=f"{BASE_URL}{PATH}",
                encrypted_secret=encrypted,
                lease_seconds=864_000,
                expires_at=timezone.now() + dt.timedelta(days=10),
            )
        )
    Subscription.objects.bulk_create(rows, batch_size=500)


def _acknowledged() -> int:
    from publishing.models import Document
    from websub.models import Subscription

    version = Document.objects.get(path=PATH).version
    return Subscription.objects.filter(acknowledged_version=version).count()


def _private_mb() -> float:
    """Without what is mapped from files, as SQLite's database is."""
    found = re.search(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 1024


# --- The report -----------------------------------------------------------------------------------


def measure(each: int, subscribers: int, rows: int) -> str:
    require("taskset")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        authority = trustme.CA()
        bundle, certificate = folder / "bundle.pem", folder / "sink.pem"
        bundle.write_bytes(Path(certifi.where()).read_bytes() + authority.cert_pem.bytes())
        issued = authority.issue_cert(HOST, *HOSTS)
        issued.private_key_and_cert_chain_pem.write_to_path(certificate)
        env = {
            "PATH": os.environ["PATH"],
            "STATE_DIR": str(folder),
            "SECRET_KEY": "benchmark-" + "k" * 50,
            "BASE_URL": BASE_URL,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "CELERY_BROKER_URL": "memory://",
            "HUB_ALLOW_NETS": "127.0.0.0/8",
            "HUB_CA_BUNDLE": str(bundle),
            "LOG_LEVEL": "ERROR",
        }

        def run(step: str, count: int) -> Figures:
            subprocess.run(
                [sys.executable, "manage.py", "migrate", "-v0"],
                cwd=ROOT, env=env, check=True, capture_output=True,
            )  # fmt: skip
            figures = _step(env, step, port, str(bundle), count)
            if step != "fill":
                for file in folder.glob("*.sqlite3*"):
                    file.unlink()
            return figures

        with sinking("benchmarks.fanout", certificate) as port:
            ms = run("cost", each)
            ten_thousand = run("many", subscribers)
            hangs = run("hanging", each)
            filled = run("fill", rows)
            start = run("million", rows)
    assert ten_thousand["count"] == subscribers, ten_thousand
    assert filled["count"] == rows, filled
    return "\n".join(
        [
            _cost_table(ms, each),
            _many_table(ten_thousand, subscribers),
            _hanging_table(hangs, each),
            _million_table(start, rows),
        ]
    )


def _step(env: Mapping[str, str], step: str, port: int, bundle: str, count: int) -> Figures:
    command = ["taskset", "-c", LOAD_CORE, sys.executable, "-m", "benchmarks.fanout"]
    output = subprocess.run(
        [*command, step, str(port), bundle, str(count)],
        cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip
    figures: Figures = json.loads(output)
    return figures


def _cost_table(ms: Figures, each: int) -> str:
    def row(name: str, way: str) -> list[str]:
        ratios = [f"{ms[way] / ms[base]:.2f}" for base in ("raw", "client")]
        return [name, f"{ms[way]:.2f}", *ratios]

    against_pool, against_raw = ms["rows"] / ms["client"], ms["rows"] / ms["raw"]
    return (
        table(
            f"{each:,} deliveries of {len(BODY):,} bytes, {THREADS} threads, a new TLS connection"
            f" each (SQLite; {machine()})",
            ["way", "CPU ms", "against raw", "against the client alone"],
            [
                row("raw sockets", "raw"),
                row("the hub's client alone", "client"),
                row("rows claimed, delivered and written down", "rows"),
                row("the same, each with a signature", "signed"),
            ],
        )
        + f"\nAgainst the client alone {against_pool:.2f}: "
        + verdict(against_pool, 1.3, at_least=False)
        + f"; against raw sockets {against_raw:.2f}: "
        + verdict(against_raw, 3, at_least=False)
        + ".\n"
    )


def _many_table(spent: Figures, subscribers: int) -> str:
    return (
        table(
            f"One change to {subscribers:,} subscribers in one process",
            ["CPU s", "s", "deliveries / s"],
            [
                [
                    f"{spent['cpu']:.1f}",
                    f"{spent['seconds']:.1f}",
                    f"{subscribers / spent['seconds']:.0f}",
                ]
            ],
        )
        + f"\nCPU {spent['cpu']:.1f} s: {verdict(spent['cpu'], 25, at_least=False)}.\n"
    )


def _hanging_table(hangs: Figures, each: int) -> str:
    first, later = hangs["first"] / hangs["alone"], hangs["later"] / hangs["alone"]
    return (
        table(
            f"One change to {each:,} subscribers, of whom 5 % never answer",
            ["callbacks", "s until the others have it", "against none that hang"],
            [
                ["none hangs", f"{hangs['alone']:.1f}", "1"],
                ["5 % begin to hang", f"{hangs['first']:.1f}", f"{first:.2f}"],
                ["5 % hang as before (slow lane)", f"{hangs['later']:.1f}", f"{later:.2f}"],
            ],
        )
        + f"\nWhen they begin {first:.2f}: {verdict(first, 1.5, at_least=False)}"
        + f"; from then on {later:.2f}: {verdict(later, 1.5, at_least=False)}.\n"
    )


def _million_table(start: Figures, rows: int) -> str:
    grown = start["late_mb"] - start["before_mb"]
    return (
        table(
            f"The start of a change to {rows:,} subscribers (the network acknowledges at once)",
            ["s to the first batch", "MB before", f"MB after {SETTLED_ROWS:,}",
             f"MB after {start['settled']:,}", "CPU ms of each"],
            [
                [
                    f"{start['first']:.2f}",
                    f"{start['before_mb']:.0f}",
                    f"{start['early_mb']:.0f}",
                    f"{start['late_mb']:.0f}",
                    f"{start['cpu_ms']:.2f}",
                ]
            ],
        )
        + f"\nFirst batch {start['first']:.2f} s: {verdict(start['first'], 10, at_least=False)}"
        + f"; memory grown by {grown:.0f} MB, of which SQLite may keep 32 as pages: "
        + f"{verdict(grown, 40, at_least=False)}.\n"
    )  # fmt: skip


def main() -> None:
    match sys.argv[1:]:
        case ["sink", port, certificate]:
            asyncio.run(sink(int(port), certificate))
        case [step, port, bundle, count] if step in STEPS:
            import django

            django.setup()
            print(json.dumps(STEPS[step](int(port), bundle, int(count))))
        case _:
            parser = argparse.ArgumentParser(description=__doc__)
            parser.add_argument("--each", type=int, default=1_000, metavar="N")
            parser.add_argument("--subscribers", type=int, default=10_000, metavar="N")
            parser.add_argument("--rows", type=int, default=1_000_000, metavar="N")
            given = parser.parse_args()
            print(measure(given.each, given.subscribers, given.rows))


if __name__ == "__main__":
    main()
