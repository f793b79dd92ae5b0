"""One change to many subscribers: CPU per delivery, 10,000 subscribers, hanging callbacks.

`python -m tools.benchmarks.fanout` prints tables. Goals: a delivery with its rows takes at most 1.3
times the same threads without rows, and 3 times raw sockets; 10,000 subscribers take 25 seconds of
one core; if 5 % of the callbacks never answer, the rest take at most 1.5 times as long. Each step
runs in a separate process, `python -m tools.benchmarks.fanout STEP PORT BUNDLE COUNT`, and the sink
on the other core, `... sink PORT CERTIFICATE`.
"""

import asyncio
import contextlib
import datetime as dt
import gzip
import json
import re
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

import certifi
import trustme

from guarded_http.addresses import parse_networks
from guarded_http.client import Client, Limits
from guarded_http.connect import tls_context
from tools.benchmarks.measuring import (
    LOAD_CORE,
    ROOT,
    SERVER_CORE,
    free_port,
    installation,
    machine,
    require,
    running,
    table,
    verdict,
)

BODY = b"x" * 30_000
HOST = "127.0.0.1"
THREADS = 96
LIMITS = Limits(connect_seconds=10, total_seconds=20)
HEADERS = {"Content-Type": "application/json"}
# Like real subscribers, callbacks are on many hosts.
HOSTS = [f"127.0.0.{number}" for number in range(2, 66)]
ROUNDS = 3
BASE_URL = "http://localhost"
PATH = "/api/feed.json"

Figures = dict[str, float]
Delivery = Callable[[], None]


# --- The sink -------------------------------------------------------------------------------------


async def sink(port: int, certificate: str) -> None:
    """Acknowledge posts and close their connections; posts to /hang/ never get an answer."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if length := re.search(rb"(?i)\r\ncontent-length: *(\d+)", head):
                await reader.readexactly(int(length[1]))
            if head.startswith(b"POST /hang/"):
                await reader.read()  # Until the client gives up.
            else:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, [HOST, *HOSTS], port, ssl=context, backlog=512)
    await server.serve_forever()


# --- Deliveries without rows ----------------------------------------------------------------------


def raw_sockets(port: int, bundle: str) -> Delivery:
    context = tls_context(bundle)
    head = (
        f"POST /new HTTP/1.1\r\nHost: {HOST}:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(BODY)}\r\n\r\n"
    ).encode()

    def deliver() -> None:
        with (
            socket.create_connection((HOST, port)) as plain,
            context.wrap_socket(plain, server_hostname=HOST) as tls,
        ):
            tls.sendall(head + BODY)
            assert tls.recv(65_536).startswith(b"HTTP/1.1 200 ")

    return deliver


def hub_client(port: int, bundle: str) -> Delivery:
    client = Client("benchmark", allow_nets=parse_networks(["127.0.0.0/8"]), ca_bundle=bundle)
    url = f"https://{HOST}:{port}/new"

    def deliver() -> None:
        outcome = client.request("POST", url, LIMITS, headers=HEADERS, body=BODY)
        assert outcome.status == 200, outcome

    return deliver


# --- Steps ----------------------------------------------------------------------------------------


def cost(port: int, bundle: str, count: int) -> Figures:
    """Measure CPU milliseconds per delivery, for each method in turn."""
    from websub.models import Subscription

    _subscribe(THREADS, port)
    _fan_out()  # Starts the threads.
    spent: dict[str, list[float]] = {"raw": [], "client": [], "rows": []}
    for _ in range(ROUNDS):
        spent["raw"].append(_without_rows(raw_sockets(port, bundle), count))
        spent["client"].append(_without_rows(hub_client(port, bundle), count))
        Subscription.objects.all().delete()
        _subscribe(count, port)
        cpu_seconds, _ = _fan_out()
        spent["rows"].append(cpu_seconds / count * 1000)
    return {way: statistics.median(values) for way, values in spent.items()}


def _without_rows(deliver: Delivery, count: int) -> float:
    """Measure CPU milliseconds per delivery with the same number of threads."""
    deliver()
    before = time.process_time()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda run: run(), repeat(deliver, count)))
    return (time.process_time() - before) / count * 1000


def many(port: int, bundle: str, count: int) -> Figures:
    from websub.models import Subscription

    _subscribe(count, port)
    cpu_seconds, seconds = _fan_out()
    acknowledged = Subscription.objects.filter(acknowledged_version=_document().version).count()
    assert acknowledged == count, acknowledged
    return {"cpu": cpu_seconds, "seconds": seconds}


def hanging(port: int, bundle: str, count: int) -> Figures:
    """Measure seconds until healthy callbacks have a change.

    First with healthy callbacks only, then when some begin to hang, then when they are known.
    """
    from websub.models import Subscription

    _subscribe(count, port)
    alone = [_fan_out()[1] for _ in range(ROUNDS)]
    Subscription.objects.all().delete()
    _subscribe(count, port, hanging_every=20)
    _, first = _fan_out()
    later = [_fan_out(with_slow_queue=True)[1] for _ in range(ROUNDS - 1)]
    return {"alone": statistics.median(alone), "first": first, "later": statistics.median(later)}


STEPS = {step.__name__: step for step in (cost, many, hanging)}


def _fan_out(*, with_slow_queue: bool = False) -> tuple[float, float]:
    """Deliver a new version; return CPU time and seconds until the last acknowledgement."""
    from django.db.models import Max
    from django.utils import timezone

    from websub import delivery
    from websub.claims import FAST, SLOW
    from websub.models import Subscription

    Subscription.objects.update(next_attempt_at=timezone.now(), consecutive_failures=0)
    document = _document()
    document.version += 1
    document.gzip = gzip.compress(BODY)
    document.save()
    slow = threading.Thread(target=delivery.deliver, args=(SLOW,))
    started_at, cpu = timezone.now(), time.process_time()
    if with_slow_queue:
        slow.start()
    while delivery.deliver(FAST).is_cut_short:
        pass
    spent = time.process_time() - cpu
    if with_slow_queue:
        slow.join()
    last = Subscription.objects.filter(last_status=200).aggregate(at=Max("last_attempt_at"))["at"]
    return spent, (last - started_at).total_seconds()


def _document() -> Any:
    from publishing.models import Document

    return Document.objects.get_or_create(path=PATH)[0]


def _subscribe(count: int, port: int, *, hanging_every: int = 0) -> None:
    from django.utils import timezone

    from websub.models import Subscription

    rows = []
    for number in range(count):
        hangs = hanging_every and number % hanging_every == 0
        # Hanging callbacks have separate hosts.
        host = HOSTS[number // hanging_every % len(HOSTS)] if hangs else HOSTS[number % len(HOSTS)]
        rows.append(
            Subscription(
                key=f"row-{number}",
                callback=f"https://{host}:{port}/{'hang' if hangs else 'new'}/{number}",
                callback_host=f"hanging-{number}" if hangs else host,
                topic=f"{BASE_URL}{PATH}",
                lease_seconds=864_000,
                expires_at=timezone.now() + dt.timedelta(days=10),
            )
        )
    Subscription.objects.bulk_create(rows, batch_size=500)


# --- The run --------------------------------------------------------------------------------------


def measure(each: int, subscribers: int) -> str:
    require("taskset")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        authority = trustme.CA()
        bundle, certificate = folder / "bundle.pem", folder / "sink.pem"
        bundle.write_bytes(Path(certifi.where()).read_bytes() + authority.cert_pem.bytes())
        issued = authority.issue_cert(HOST, *HOSTS)
        issued.private_key_and_cert_chain_pem.write_to_path(certificate)
        env = installation(
            folder,
            BASE_URL=BASE_URL,
            WEBSUB_ALLOWED_NETWORKS="127.0.0.0/8",
            WEBSUB_CA_BUNDLE=str(bundle),
        )

        def run(step: str, count: int) -> Figures:
            migrate = [sys.executable, "manage.py", "migrate", "-v0"]
            subprocess.run(migrate, cwd=ROOT, env=env, check=True)
            command = [*_on_core(LOAD_CORE), step, str(port), str(bundle), str(count)]
            output = subprocess.run(
                command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE
            ).stdout
            for file in folder.glob("*.sqlite3*"):
                file.unlink()
            figures: Figures = json.loads(output)
            return figures

        with _sinking(certificate) as port:
            ms, ten_thousand = run("cost", each), run("many", subscribers)
            hangs = run("hanging", each)
    against_client = _compared("Against the client alone", ms["rows"] / ms["client"], 1.3)
    against_raw = _compared("against raw sockets", ms["rows"] / ms["raw"], 3)
    cpu, alone = ten_thousand["cpu"], hangs["alone"]
    names = {
        "raw": "raw sockets",
        "client": "the hub's client alone",
        "rows": "rows claimed, delivered and recorded",
    }
    rows = [[name, f"{ms[way]:.2f}", f"{ms[way] / ms['raw']:.2f}"] for way, name in names.items()]
    seconds = ten_thousand["seconds"]
    spans = {"none hangs": alone, "5 % begin to hang": hangs["first"]}
    spans["5 % hang as before (slow queue)"] = hangs["later"]
    return "\n".join(
        [
            table(
                f"{each:,} deliveries of {len(BODY):,} bytes, {THREADS} threads, a new TLS "
                f"connection each (SQLite; {machine()})",
                ["way", "CPU ms", "against raw"],
                rows,
            ),
            f"{against_client}; {against_raw}.\n",
            table(
                f"One change to {subscribers:,} subscribers in one process",
                ["CPU s", "s", "deliveries / s"],
                [[f"{cpu:.1f}", f"{seconds:.1f}", f"{subscribers / seconds:.0f}"]],
            ),
            f"{_compared('CPU s', cpu, 25)}.\n",
            table(
                f"One change to {each:,} subscribers, of whom 5 % never answer",
                ["callbacks", "s until the others have it", "against none that hang", ""],
                [
                    [name, f"{span:.1f}", f"{span / alone:.2f}",
                     verdict(span / alone, 1.5, at_least=False)]
                    for name, span in spans.items()
                ],
            ),
        ]
    )  # fmt: skip


def _compared(what: str, value: float, goal: float) -> str:
    return f"{what} {value:.2f}: {verdict(value, goal, at_least=False)}"


def _on_core(core: str) -> list[str]:
    return ["taskset", "-c", core, sys.executable, "-m", "tools.benchmarks.fanout"]


@contextlib.contextmanager
def _sinking(certificate: Path) -> Iterator[int]:
    """Run the sink, and yield its port."""
    port = free_port()
    command = [*_on_core(SERVER_CORE), "sink", str(port), str(certificate)]
    with running(command):
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection((HOST, port)):
                break
            time.sleep(0.1)
        yield port


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["sink", given_port, given_certificate]:
            asyncio.run(sink(int(given_port), given_certificate))
        case [given_step, given_port, given_bundle, given_count]:
            import django

            django.setup()
            print(json.dumps(STEPS[given_step](int(given_port), given_bundle, int(given_count))))
        case _:
            print(measure(each=1_000, subscribers=10_000))
