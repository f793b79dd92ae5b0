"""Attack one web process and its worker, and measure what others notice.

`python -m tools.chaos.attacks [passwords|readers|bombs|failing ...]` starts processes of its own in
a temporary folder, on loopback alone, and prints a table for each attack. The exit code is 1 if
others were refused, or a file was not. README.md has figures.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Event, Thread

import requests

from tests.review_exports import bombs
from tools.benchmarks.documents import demo_environment, granian
from tools.benchmarks.measuring import ROOT, Server, free_port, machine, serving, table
from tools.chaos import unread

REVIEWS = 100
LOOPS = 12
SECONDS = 20.0
LONGEST_REFUSAL_SECONDS = 20.0  # Of a processor.
CSRF_TOKEN = "c" * 32  # Compared with a cookie that the client chooses as well.
HOME, OWNERS_PASSWORD = "198.51.100.1", "long enough for a test"
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "chaos", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}
BOMBS: Mapping[str, Callable[[], bytes]] = {
    "40 million empty lists": lambda: bombs.of_empty_lists(40_000_000),
    "the same two levels deep": lambda: bombs.of_nested_empty_lists(40_000_000),
    "a member named 25 million times": lambda: bombs.repeated(
        b'{"a": 1', b',"a":[]', 25_000_000, b"}"
    ),
    "a million items of 20 objects": lambda: bombs.of_objects_in_items(1_000_000, 20),
    "19 million columns": lambda: bombs.of_columns(19_000_000),
    "9 million shared texts": lambda: bombs.of_shared_texts(9_000_000),
    "one shared text of 4 million": lambda: bombs.of_one_shared_text(b"<t></t>", 4_000_000),
    "entities of XML": bombs.of_entities,
}
# Uploads standard input, and reads it as a worker does; prints the batch.
READ = """
import json, sys, django
django.setup()
from reviews import services, tasks
from reviews.imports.opening import ImportOptions
from reviews.models import ImportBatch
if sys.argv[1] == "upload":
    content = sys.stdin.buffer.read()
    batch = services.upload(content, file_name="file", options=ImportOptions(accept=True), by=None)
else:
    batch = ImportBatch.objects.get(pk=sys.argv[2])
    tasks.work_off(batch.pk)
    batch.refresh_from_db()
print(json.dumps([batch.pk, batch.state, batch.tries, batch.refusal]))
"""


@dataclass(slots=True)
class Others:
    """Requests of others while an attack goes on: their statuses, and the slowest of each kind."""

    server: Server
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=count)

    EXPECTED = {"document": 200, "search": 200, "page": 200, "mcp": 200, "hub": 202}

    def ask(self) -> None:
        """One request of each kind."""
        for name in self.EXPECTED:
            began = time.monotonic()
            try:
                status = self._send(name).status_code
            except requests.RequestException:
                status = 0
            self.statuses[name, status] += 1
            self.slowest[name] = max(self.slowest.get(name, 0.0), time.monotonic() - began)

    def _send(self, name: str) -> requests.Response:
        url = self.server.url
        if name == "mcp":
            return requests.post(url("/mcp"), json=CALL, headers=ACCEPT, timeout=30)
        if name == "hub":
            callback = f"https://subscriber-{next(self._numbers)}.example.org/"
            topic = "http://127.0.0.1/feed.xml"
            form = {"hub.mode": "subscribe", "hub.topic": topic, "hub.callback": callback}
            return requests.post(url("/api/websub/hub"), form, timeout=30)
        paths = {
            "document": "/reviews.json",
            "search": "/api/reviews/search?query=great",
            "page": "/reviews",
        }
        return requests.get(url(paths[name]), timeout=30)

    def is_served(self) -> bool:
        return all(self.EXPECTED[name] == status for name, status in self.statuses)

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Ask in a thread, again and again until the end."""
        is_over = Event()

        def go_on() -> None:
            while not is_over.is_set():
                self.ask()

        thread = Thread(target=go_on)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def cells(self) -> list[str]:
        listed = [
            f"{name}: {number} x {status}" for (name, status), number in self.statuses.items()
        ]
        return [", ".join(listed), f"{max(self.slowest.values()):.2f}"]


OTHERS_COLUMNS = ["answers to others", "slowest s"]


def main() -> int:
    attacks: Mapping[str, Callable[[Path], int]] = {
        "passwords": passwords,
        "readers": readers,
        "bombs": read_bombs,
        "failing": failing,
    }
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.attacks", description=__doc__)
    parser.add_argument("attacks", nargs="*", choices=[[], *attacks], metavar="attack")
    given = parser.parse_args()
    worst = 0
    for name in given.attacks or attacks:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            worst = max(worst, attacks[name](Path(folder)))
    return worst


@contextlib.contextmanager
def _web(env: Mapping[str, str]) -> Iterator[Server]:
    port = free_port()
    command = granian("config.wsgi:application", port)
    with serving("web", command, port, ready="/reviews.json", env=env) as server:
        yield server


def passwords(folder: Path) -> int:
    """Twelve loops of wrong passwords, while an owner signs in, from one network and from many."""
    # Without the limit of ten a minute, which would end the loops of one network by itself.
    env = demo_environment(folder / "state", REVIEWS)
    env |= {"TRUSTED_PROXY_COUNT": "1", "FORWARDED_HEADER": "X-Forwarded-For"}
    env["DJANGO_SUPERUSER_PASSWORD"] = OWNERS_PASSWORD
    env |= dict.fromkeys(("RATE_LIMIT_MCP", "RATE_LIMIT_HUB", "RATE_LIMIT_SIGN_IN"), "")
    command = "createsuperuser --noinput --username owner --email owner@example.com".split()
    subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=env, check=True)
    rows, is_good = [], True
    with _web(env) as server:
        _sign_in(server, HOME, "owner", OWNERS_PASSWORD)  # A network that is known from now on.
        for is_from_one in (True, False):
            others, guesses = Others(server), Counter[int]()
            with _guessing(server, guesses, is_from_one=is_from_one), others.asking():
                owner, slowest = _sign_in_again_and_again(server)
            rows.append(
                [
                    "one network" if is_from_one else "many networks",
                    ", ".join(f"{number} x {status}" for status, number in sorted(guesses.items())),
                    ", ".join(text.format(number) for text, number in sorted(owner.items())),
                    f"{slowest:.1f}",
                    *others.cells(),
                ]
            )
            refused = [text for text in owner if not text.endswith(" 302")]
            is_refused = any(is_from_one or text.startswith("home") for text in refused)
            is_good = is_good and others.is_served() and not is_refused
    columns = ["twelve loops from", "answers to the loops", "the owner", "slowest s"]
    columns += OTHERS_COLUMNS
    print(table(f"Loops of passwords ({machine()})", columns, rows), flush=True)
    return 0 if is_good else 1


@contextlib.contextmanager
def _guessing(server: Server, guesses: Counter[int], *, is_from_one: bool) -> Iterator[None]:
    """Send wrong passwords in twelve loops until the end, and count the answers."""
    numbers, is_over = count(), Event()

    def guess() -> None:
        while not is_over.is_set():
            number = next(numbers)
            network = 0xFFFF_FFFF if is_from_one else number
            address = f"2001:db8:{network >> 16:x}:{network & 0xFFFF:x}::{number & 0xFFFF:x}"
            guesses[_sign_in(server, address, f"name-{number}", "wrong")] += 1

    with ThreadPoolExecutor(LOOPS) as pool:
        loops = [pool.submit(guess) for _ in range(LOOPS)]
        try:
            yield
        finally:
            is_over.set()
        for loop in loops:
            loop.result()


def _sign_in_again_and_again(server: Server) -> tuple[Counter[str], float]:
    """Statuses of the owner's sign-ins from home and from elsewhere, and the slowest one."""
    statuses, slowest, ends_at = Counter[str](), 0.0, time.monotonic() + SECONDS
    for number in count():
        for name, address in (("home", HOME), ("elsewhere", f"203.0.113.{number}")):
            began = time.monotonic()
            status = _sign_in(server, address, "owner", OWNERS_PASSWORD)
            statuses[f"{name}: {{}} x {status}"] += 1
            slowest = max(slowest, time.monotonic() - began)
        if time.monotonic() > ends_at:
            break
    return statuses, slowest


def _sign_in(server: Server, address: str, name: str, password: str) -> int:
    """Status of a sign-in from the client's address: 302 lets in."""
    form = {"csrfmiddlewaretoken": CSRF_TOKEN, "username": name, "password": password}
    headers = {"X-Forwarded-For": address, "Cookie": f"csrftoken={CSRF_TOKEN}"}
    answer = requests.post(
        server.url("/admin/login/"), form, headers=headers, timeout=60, allow_redirects=False
    )
    return answer.status_code


def readers(folder: Path) -> int:
    """Requests of 500 clients for 20 MB that they do not read."""
    return unread.measure(folder, clients=500, path="/reviews.json", seconds=10.0, is_proxied=False)


def read_bombs(folder: Path) -> int:
    """Small files that unpack or parse to much, read one after the other."""
    env = demo_environment(folder / "state", REVIEWS) | {"RATE_LIMIT_MCP": "", "RATE_LIMIT_HUB": ""}
    rows, is_good = [], True
    with _web(env) as server:
        for name, make in BOMBS.items():
            content, others = make(), Others(server)
            identifier, *_ = _batch(env, "upload", content=content)
            before, began = os.times(), time.monotonic()
            with others.asking():
                _, state, _, refusal = _batch(env, "read", identifier)
            took, after = time.monotonic() - began, os.times()
            cpu = after.children_user + after.children_system
            cpu -= before.children_user + before.children_system
            rows.append(
                [
                    name,
                    str(len(content) // 1000),
                    f"{cpu:.1f}",
                    f"{took:.1f}",
                    str(refusal),
                    *others.cells(),
                ]
            )
            is_refused = state == "refused" and cpu < LONGEST_REFUSAL_SECONDS
            is_good = is_good and is_refused and others.is_served()
    columns = ["file", "kB", "CPU s", "s", "sentence", *OTHERS_COLUMNS]
    print(table(f"Files that unpack to much ({machine()})", columns, rows), flush=True)
    return 0 if is_good else 1


def failing(folder: Path) -> int:
    """A file whose worker is killed each time it reads, before another file."""
    env = demo_environment(folder / "state", REVIEWS)
    rows = b"Name,Stars,Date,Review\n" + b"Ann,5,2025-01-02,Quick and clean work.\n" * 200_000
    bad, *_ = _batch(env, "upload", content=rows)
    good, *_ = _batch(env, "upload", content=rows[:1_000].rpartition(b"\n")[0])
    kills = 0
    for _ in range(6):
        kills += _kill_while_reading(env, bad)
    _, state, tries, refusal = _batch(env, "read", bad)
    _, other, *_ = _batch(env, "read", good)
    columns = ["workers killed while they read", "tries", "state", "sentence", "the other file"]
    cells = [str(kills), str(tries), str(state), str(refusal), str(other)]
    print(table(f"A file that fails each time ({machine()})", columns, [cells]), flush=True)
    return 0 if (state, other, kills) == ("refused", "previewed", 3) else 1


def _batch(
    env: Mapping[str, str], command: str, batch: object = "", content: bytes = b""
) -> tuple[object, ...]:
    """Key, state, tries and refusal of a batch after a command to it."""
    done = subprocess.run(
        [sys.executable, "-c", READ, command, str(batch)],
        cwd=ROOT, env={**os.environ, **env}, input=content, check=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    return tuple(json.loads(done.stdout.splitlines()[-1]))


def _kill_while_reading(env: Mapping[str, str], batch: object) -> bool:
    """Kill the process that reads the batch once its reader runs; whether one did."""
    process = subprocess.Popen(
        [sys.executable, "-c", READ, "read", str(batch)],
        cwd=ROOT, env={**os.environ, **env}, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    while process.poll() is None:
        if _has_reader(process.pid):
            time.sleep(0.2)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return True
        time.sleep(0.02)
    return False


def _has_reader(parent: int) -> bool:
    children: Sequence[str] = ()
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    for child in children:
        with contextlib.suppress(OSError):
            if b"review_exports.transfer" in Path(f"/proc/{child}/cmdline").read_bytes():
                return True
    return False


if __name__ == "__main__":
    sys.exit(main())
