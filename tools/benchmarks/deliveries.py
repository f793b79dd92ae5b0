"""CPU of one delivery over a new TLS connection: the hub's client beside other ways to send it.

`python -m tools.benchmarks.deliveries` prints a table; goal: the hub's client at 3 times raw
sockets or less. Every way trusts the same bundle: the public authorities and the one of the sink.
The sink runs on the other core; what counts is the CPU time of the process that delivers.
"""

import asyncio
import contextlib
import os
import socket
import ssl
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import repeat
from pathlib import Path

import certifi
import requests
import trustme
from requests.adapters import HTTPAdapter

from guarded_http.addresses import parse_networks
from guarded_http.client import Client, Limits
from guarded_http.connect import tls_context
from tools.benchmarks.measuring import (
    LOAD_CORE,
    machine,
    require,
    sinking,
    table,
    verdict,
)

BODY = b"x" * 30_000
HOST = "127.0.0.1"
ROUNDS = 5
DELIVERIES = 200  # Of each way, in each round.
PLAIN_DELIVERIES = 20  # The slow way.
THREADS = 32
LIMITS = Limits(connect_seconds=10, total_seconds=20)
HEADERS = {"Content-Type": "application/json"}

Delivery = Callable[[], None]

# --- The sink, a process of its own ---------------------------------------------------------------


async def sink(port: int, certificate: str) -> None:
    """Acknowledges every post; keeps the connection of those to /kept."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_kept = True
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while is_kept:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(head.lower().split(b"content-length:")[1].split()[0]))
                is_kept = head.startswith(b"POST /kept ")
                end = b"" if is_kept else b"Connection: close\r\n"
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + end + b"\r\n")
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, HOST, port, ssl=context)
    await server.serve_forever()


# --- The ways -------------------------------------------------------------------------------------


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


def hub_client_kept(port: int, bundle: str) -> Delivery:
    """Ten deliveries to one server; counted as such by `measure`."""
    client = Client("benchmark", allow_nets=parse_networks(["127.0.0.0/8"]), ca_bundle=bundle)
    url = f"https://{HOST}:{port}/kept"

    def deliver() -> None:
        with closing(client.connect(url, LIMITS)) as connection:
            for _ in range(KEPT):
                outcome = connection.request("POST", url, headers=HEADERS, body=BODY)
                assert outcome.status == 200, outcome

    return deliver


class SharedContext(HTTPAdapter):
    def __init__(self, context: ssl.SSLContext) -> None:
        self.context = context
        super().__init__(pool_maxsize=THREADS)

    def init_poolmanager(self, *args, **kwargs):
        super().init_poolmanager(*args, ssl_context=self.context, **kwargs)

    def cert_verify(self, *args, **kwargs):
        """Leaves out the bundle, which would be parsed again for every connection."""


def requests_shared(port: int, bundle: str) -> Delivery:
    session = requests.Session()
    session.trust_env = False
    session.mount("https://", SharedContext(tls_context(bundle)))
    url = f"https://{HOST}:{port}/new"

    def deliver() -> None:
        with session.post(
            url, data=BODY, headers=HEADERS, timeout=10, allow_redirects=False, stream=True
        ) as response:
            assert response.status_code == 200

    return deliver


def requests_plain(port: int, bundle: str) -> Delivery:
    url = f"https://{HOST}:{port}/new"

    def deliver() -> None:
        response = requests.post(url, data=BODY, headers=HEADERS, timeout=10, verify=bundle)
        assert response.status_code == 200

    return deliver


KEPT = 10
RAW, CLIENT = "raw sockets", "the hub's client"
WAYS: Mapping[str, tuple[Callable[[int, str], Delivery], int]] = {
    RAW: (raw_sockets, DELIVERIES),
    CLIENT: (hub_client, DELIVERIES),
    f"the hub's client, {KEPT} to one server": (hub_client_kept, DELIVERIES),
    "requests, one shared context": (requests_shared, DELIVERIES),
    "requests as it comes": (requests_plain, PLAIN_DELIVERIES),
}


def cpu_ms(deliver: Delivery, count: int, *, threads: int, per_call: int) -> float:
    calls = count // per_call
    before = time.process_time()
    if threads == 1:
        for _ in range(calls):
            deliver()
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda run: run(), repeat(deliver, calls)))
    return (time.process_time() - before) / count * 1000


def measure() -> str:
    require("taskset")
    os.sched_setaffinity(0, {int(LOAD_CORE)})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        authority = trustme.CA()
        bundle, certificate = folder / "bundle.pem", folder / "sink.pem"
        bundle.write_bytes(Path(certifi.where()).read_bytes() + authority.cert_pem.bytes())
        authority.issue_cert(HOST).private_key_and_cert_chain_pem.write_to_path(certificate)
        with sinking("tools.benchmarks.deliveries", certificate) as port:
            return report(port, str(bundle))


def report(port: int, bundle: str) -> str:
    deliveries = {way: make(port, bundle) for way, (make, _) in WAYS.items()}
    spent: dict[tuple[str, int], list[float]] = {}
    for deliver in deliveries.values():
        deliver()
    for _ in range(ROUNDS):
        for threads in (1, THREADS):
            for way, deliver in deliveries.items():
                per_call = KEPT if WAYS[way][0] is hub_client_kept else 1
                spent.setdefault((way, threads), []).append(
                    cpu_ms(deliver, WAYS[way][1], threads=threads, per_call=per_call)
                )
    ms = {key: statistics.median(values) for key, values in spent.items()}
    rows = [
        [way, *(text for threads in (1, THREADS) for text in _cells(ms, way, threads))]
        for way in WAYS
    ]
    ratio = ms[CLIENT, 1] / ms[RAW, 1]
    heading = f"One delivery of {len(BODY):,} bytes over a new TLS connection ({machine()})"
    columns = ["way", "CPU ms", "against raw", f"CPU ms, {THREADS} threads", "against raw"]
    return (
        table(heading, columns, rows)
        + f"\nThe hub's client against raw sockets {ratio:.2f}: "
        + verdict(ratio, 3, at_least=False)
        + ".\n"
    )


def _cells(ms: Mapping[tuple[str, int], float], way: str, threads: int) -> tuple[str, str]:
    return f"{ms[way, threads]:.2f}", f"{ms[way, threads] / ms[RAW, threads]:.2f}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["sink", port, certificate]:
            asyncio.run(sink(int(port), certificate))
        case _:
            print(measure())
