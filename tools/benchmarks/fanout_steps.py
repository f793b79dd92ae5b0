"""The steps of `tools.benchmarks.fanout`, each in a process of its own, and their sink.

`python -m tools.benchmarks.fanout_steps STEP PORT BUNDLE COUNT` prints figures as JSON.
"""

import asyncio
import contextlib
import gzip
import json
import re
import socket
import ssl
import statistics
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import Any

from guarded_http.addresses import parse_networks
from guarded_http.client import Client, Limits
from guarded_http.connect import tls_context

BODY = b"x" * 30_000
HOST = "127.0.0.1"
THREADS = 96
LIMITS = Limits(connect_seconds=10, total_seconds=20)
HEADERS = {"Content-Type": "application/json"}
# Many hosts, each with connections of its own, as subscribers have.
HOSTS = [f"127.0.0.{number}" for number in range(2, 66)]
ROUNDS = 3
BASE_URL = "http://localhost"
PATH = "/api/feed.json"

Figures = dict[str, Any]
Delivery = Callable[[], None]


# --- The sink -------------------------------------------------------------------------------------


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


# --- Deliveries without rows ---


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
    """CPU milliseconds of a delivery, each way in turn."""
    from websub.models import Subscription

    ways: Mapping[str, Callable[[], float]] = {
        "raw": lambda: _without_rows(raw_sockets(port, bundle), count),
        "client": lambda: _without_rows(hub_client(port, bundle), count),
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
                _subscribe(count, port, secret="subscriber secret" if way == "signed" else "")
            spent[way].append(run())
    return {way: statistics.median(values) for way, values in spent.items()}


def _without_rows(deliver: Delivery, count: int) -> float:
    """CPU milliseconds of a delivery by the same number of threads."""
    deliver()
    before = time.process_time()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda run: run(), repeat(deliver, count)))
    return (time.process_time() - before) / count * 1000


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
    later = [_fan_out(with_slow_queue=True).healthy_seconds for _ in range(ROUNDS - 1)]
    return {"alone": statistics.median(alone), "first": first, "later": statistics.median(later)}


STEPS = {step.__name__: step for step in (cost, many, hanging)}


class Spent:
    def __init__(self, cpu_seconds: float, healthy_seconds: float) -> None:
        self.cpu_seconds = cpu_seconds
        self.healthy_seconds = healthy_seconds


def _fan_out(*, with_slow_queue: bool = False) -> Spent:
    """A new version to everybody: CPU of it all, and the time until the last acknowledgement."""
    from django.db.models import Max
    from django.utils import timezone

    from websub import delivery
    from websub.claims import FAST, SLOW
    from websub.models import Subscription

    Subscription.objects.update(next_attempt_at=timezone.now(), consecutive_failures=0)
    _publish()
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
        # Hanging callbacks have hosts of their own.
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


def main() -> None:
    match sys.argv[1:]:
        case ["sink", port, certificate]:
            asyncio.run(sink(int(port), certificate))
        case [step, port, bundle, count]:
            import django

            django.setup()
            print(json.dumps(STEPS[step](int(port), bundle, int(count))))


if __name__ == "__main__":
    main()
