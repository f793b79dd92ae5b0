"""Subscribers: callbacks on many loopback addresses, and a log of all requests to them."""

import asyncio
import contextlib
import hashlib
import hmac
import re
import ssl
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import trustme

HOSTS = [f"127.0.0.{number}" for number in range(2, 26)]
EDIT = re.compile(rb"Chaos edit (\d+)\.")
# The hub gives up a request after 5 seconds, and after 10 once a callback has been slow.
SECONDS_TO_ANSWER = {"healthy": 0.05, "slow": 3.0, "late": 6.0}
OK, NO_CONTENT, UNAVAILABLE, BROKEN = 200, 204, 503, 500


@dataclass(slots=True)
class Post:
    """One delivery that a subscriber received."""

    edit: int  # The newest edit in the body.
    digest: str
    is_signed: bool
    at: float = field(default_factory=time.time)
    is_acknowledged: bool = False


@dataclass(frozen=True, slots=True)
class Subscriber:
    kind: str
    host: str
    port: int
    path: str

    @property
    def callback(self) -> str:
        return f"https://{self.host}:{self.port}{self.path}"

    @property
    def secret(self) -> str:
        return f"secret of {self.path}"

    @property
    def is_live(self) -> bool:
        """Whether the subscriber eventually acknowledges every delivery."""
        return self.kind != "dead"


@dataclass(slots=True)
class Sink:
    """Server of the callbacks, which `listening` runs."""

    port: int
    posts: dict[str, list[Post]] = field(default_factory=lambda: defaultdict(list))
    denied: set[str] = field(default_factory=set)
    open_posts: Counter[str] = field(default_factory=Counter)
    most_open: Counter[str] = field(default_factory=Counter)

    def make_subscribers(self, scenario: str, kinds: dict[str, int]) -> list[Subscriber]:
        """Create subscribers with separate paths, spread over the addresses."""
        names = [(kind, n) for kind, count in kinds.items() for n in range(count)]
        return [
            Subscriber(kind, HOSTS[place % len(HOSTS)], self.port, f"/{scenario}/{kind}-{n}")
            for place, (kind, n) in enumerate(names)
        ]

    def reached(self, subscribers: list[Subscriber], edit: int) -> int:
        """Count subscribers that have received the edit or a newer one."""
        return sum(any(post.edit >= edit for post in self.posts[each.path]) for each in subscribers)

    def satisfied(self, subscribers: list[Subscriber], edit: int) -> int:
        """Count subscribers that have acknowledged the edit or a newer one."""
        return sum(
            any(post.is_acknowledged and post.edit >= edit for post in self.posts[each.path])
            for each in subscribers
        )

    def acknowledged(self, subscriber: Subscriber) -> int:
        """Count deliveries that the subscriber has acknowledged."""
        return sum(post.is_acknowledged for post in self.posts[subscriber.path])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = (OSError, asyncio.IncompleteReadError, asyncio.CancelledError)
        with contextlib.suppress(*ends):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                method, target, _ = head.split(" ", 2)
                if method == "GET":
                    status, answer = self._verify(target)
                else:
                    with self._opened(target):
                        status, answer = await self._take(target, head.lower(), reader), b""
                line = f"Content-Length: {len(answer)}\r\n" if status != NO_CONTENT else ""
                writer.write(f"HTTP/1.1 {status} X\r\n{line}\r\n".encode() + answer)
                await writer.drain()
        writer.transport.abort()

    @contextlib.contextmanager
    def _opened(self, path: str) -> Iterator[None]:
        """Count a post as open until its answer or a disconnect."""
        self.open_posts[path] += 1
        self.most_open[path] = max(self.most_open[path], self.open_posts[path])
        try:
            yield
        finally:
            self.open_posts[path] -= 1

    def _verify(self, target: str) -> tuple[int, bytes]:
        parts = urlsplit(target)
        parameters = parse_qs(parts.query)
        if parameters["hub.mode"] == ["denied"]:
            self.denied.add(parts.path)
            return OK, b""
        return OK, parameters["hub.challenge"][0].encode()

    async def _take(self, path: str, head: str, reader: asyncio.StreamReader) -> int:
        headers = dict(line.split(": ", 1) for line in head.splitlines()[1:] if line)
        body = await reader.readexactly(int(headers["content-length"]))
        kind = path.rpartition("/")[2].partition("-")[0]
        status = BROKEN if kind == "dead" else NO_CONTENT
        if kind == "flaky" and len(self.posts[path]) % 2 == 0:
            status = UNAVAILABLE
        signature = hmac.new(f"secret of {path}".encode(), body, "sha256").hexdigest()
        post = Post(
            edit=max(map(int, EDIT.findall(body)), default=0),
            digest=hashlib.sha256(body).hexdigest(),
            is_signed=headers.get("x-hub-signature") == f"sha256={signature}",
        )
        self.posts[path].append(post)
        if not await _stays_open(reader, SECONDS_TO_ANSWER.get(kind, 0.001)):
            raise ConnectionResetError  # The hub has given up.
        post.is_acknowledged = status == NO_CONTENT
        return status


async def _stays_open(reader: asyncio.StreamReader, seconds: float) -> bool:
    """Wait; return False as soon as the hub closes the connection."""
    try:
        await asyncio.wait_for(reader.read(1), seconds)
    except TimeoutError:
        return True
    return False


@contextlib.contextmanager
def listening(port: int, bundle: Path) -> Iterator[Sink]:
    """Run the server in a thread; write its authority's certificate to `bundle`."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(bundle))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*HOSTS).configure_cert(context)
    sink = Sink(port)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="sink", daemon=True)
    thread.start()
    starting = asyncio.start_server(sink.serve, HOSTS, port, ssl=context, backlog=256)
    server = asyncio.run_coroutine_threadsafe(starting, loop).result(10)
    try:
        yield sink
    finally:
        asyncio.run_coroutine_threadsafe(_close(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()


async def _close(server: asyncio.Server) -> None:
    server.close()
    serving = asyncio.all_tasks() - {asyncio.current_task()}
    for task in serving:
        task.cancel()
    await asyncio.gather(*serving, return_exceptions=True)
    await asyncio.sleep(0.1)  # Lets the transports close.
