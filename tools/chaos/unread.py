"""Measure a web process whose clients do not read large answers.

`python -m tools.chaos.unread [--clients 500] [--path /reviews.json] [--proxy]` starts a web process
with a `/reviews.json` of 20 MB in a temporary folder, behind nginx with `deploy/nginx.conf` if
asked, and prints a table. The exit code is 1 if the process grew beyond the memory limit of its
container, or did not answer others meanwhile.
"""

import argparse
import contextlib
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import requests

from tools.benchmarks.documents import granian
from tools.benchmarks.measuring import (
    ROOT,
    Server,
    find,
    free_port,
    installation,
    machine,
    require,
    serving,
    table,
)

REVIEWS = 1_000
DOCUMENT_BYTES = 20_000_000
# The web process's limit in docker-compose.yml.
MEMORY_LIMIT_MB = 1024
READERS_PER_ADDRESS = 10
OTHERS = (
    "/healthz",
    "/reviews.json (304)",
    "/api/feed.json",
    "/api/reviews/search?query=great&limit=5",
    "/reviews",
)

# Each review many times over: in the order of their days, as `since` expects them.
ENLARGE = """
import gzip, hashlib, sys
from django.utils import timezone
from publishing.models import Document
document = Document.objects.get(path="/reviews.json")
body, mark = document.identity, b'},{"id":"'
head, opening, reviews = body.partition(b'"reviews":[')
first, *middle, last = reviews.split(mark)
times = int(sys.argv[1]) // len(body)
parts = [first, *(part for part in middle for _ in range(times)), last]
body = head + opening + mark.join(parts)
document.gzip, document.br, document.zstd = gzip.compress(body, 6), b"", b""
document.digest = hashlib.sha256(body).hexdigest()[:32]
document.version += 1
document.changed_at = timezone.now()
document.save()
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.unread", description=__doc__)
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--path", default="/reviews.json")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long they stay")
    parser.add_argument("--proxy", action="store_true", help="they connect to nginx")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        return measure(
            folder,
            clients=given.clients,
            path=given.path,
            seconds=given.seconds,
            is_proxied=given.proxy,
        )


def measure(folder: Path, *, clients: int, path: str, seconds: float, is_proxied: bool) -> int:
    """Print the table of one attack; 1 if the process grew too much or others were refused."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4096), hard), hard))
    with contextlib.ExitStack() as stack:
        env = _demo(folder / "state")
        port = free_port()
        command = granian("config.wsgi:application", port)
        web = stack.enter_context(serving("web", command, port, ready="/reviews.json", env=env))
        front = web
        if is_proxied:
            require("nginx")
            port = free_port()
            command = shipped_nginx(folder / "nginx", port, web.port)
            front = stack.enter_context(serving("nginx", command, port, ready="/healthz"))
        return _attack(web, front, path, clients, seconds)


def shipped_nginx(folder: Path, port: int, web_port: int) -> list[str]:
    """The command that runs nginx with `deploy/nginx.conf`, without TLS, on a port of loopback."""
    shipped = (ROOT / "deploy/nginx.conf").read_text()
    shipped = re.sub(r"ssl_\w+ .*;", "", shipped)
    shipped = shipped.replace("listen 80;", f"listen unix:{folder}/plain.sock;")
    shipped = shipped.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    shipped = shipped.replace("127.0.0.1:8000", f"127.0.0.1:{web_port}")
    folder.mkdir()
    folder.chmod(0o755)  # Its workers run as another user, whatever our umask is.
    paths = [f"{kind}_temp_path {folder}/{kind};" for kind in (
        "client_body", "proxy", "fastcgi", "uwsgi", "scgi"
    )]  # fmt: skip
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{ worker_connections 2048; }}\n"
        f"http {{ access_log {folder}/access.log; {' '.join(paths)}\n{shipped}\n}}\n"
    )
    return [str(find("nginx")), "-c", str(folder / "nginx.conf")]


def _demo(state: Path) -> dict[str, str]:
    env = installation(state)
    for command in (["migrate"], ["make_demo", "--reviews", str(REVIEWS)], ["publish_documents"]):
        subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    enlarge = f"import django; django.setup()\n{ENLARGE}"
    command = [sys.executable, "-c", enlarge, str(DOCUMENT_BYTES)]
    subprocess.run(command, cwd=ROOT, env=env, check=True)
    return env


def _attack(web: Server, front: Server, path: str, clients: int, seconds: float) -> int:
    etag = requests.get(front.url("/reviews.json"), timeout=60).headers["ETag"]
    before = resident_mb(web)
    highest, slowest, failed = before, 0.0, 0
    with silent_readers(front.port, path, clients) as readers:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for other in OTHERS:
                took, is_answered = _ask(front, other, etag)
                slowest, failed = max(slowest, took), failed + (not is_answered)
            highest = max(highest, resident_mb(web))
        at_end = resident_mb(web)
        statuses = Counter(map(_status, readers))
    row = [
        path + (" behind nginx" if front is not web else ""),
        str(clients),
        f"{before:.0f}",
        f"{highest:.0f}",
        f"{at_end:.0f}",
        ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items())),
        f"{slowest:.2f}",
        str(failed),
    ]
    columns = [
        "address", "clients", "MB before", "MB at most", "MB at the end", "answers",
        "slowest answer to others s", "others not answered",
    ]  # fmt: skip
    print(table(f"Clients that do not read ({machine()})", columns, [row]))
    return 0 if highest < MEMORY_LIMIT_MB and not failed else 1


@contextlib.contextmanager
def silent_readers(port: int, path: str, count: int) -> Iterator[list[socket.socket]]:
    """Connections that have sent a GET each and read nothing."""
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n"
    with contextlib.ExitStack() as stack:
        readers = []
        for number in range(count):
            reader = stack.enter_context(socket.socket())
            # A few from each address: there are many on loopback.
            reader.bind((f"127.0.1.{number // READERS_PER_ADDRESS + 1}", 0))
            # A small window, so that the bytes wait at the server.
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.settimeout(30)
            reader.connect(("127.0.0.1", port))
            reader.sendall(request.encode())
            readers.append(reader)
        yield readers


def _status(reader: socket.socket) -> str:
    """The status of the answer that waits, or why there is none."""
    reader.setblocking(False)
    try:
        found = re.match(rb"HTTP/1.1 (\d{3})", reader.recv(64, socket.MSG_PEEK))
    except OSError as error:
        return type(error).__name__
    return found[1].decode() if found else "closed"


def _ask(server: Server, other: str, etag: str) -> tuple[float, bool]:
    path, _, wanted = other.partition(" ")
    headers = {"If-None-Match": etag} if wanted else {}
    began = time.monotonic()
    try:
        answer = requests.get(server.url(path), headers=headers, timeout=30)
    except requests.RequestException:
        return time.monotonic() - began, False
    return time.monotonic() - began, answer.status_code == (304 if wanted else 200)


def resident_mb(server: Server) -> float:
    """Resident memory of the processes of the group, shared pages counted once (PSS)."""
    total = 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if (
                int((folder / "stat").read_text().rpartition(")")[2].split()[2])
                != server.process.pid
            ):
                continue
            found = re.search(r"(?m)^Pss:\s+(\d+) kB", (folder / "smaps_rollup").read_text())
            total += int(found[1]) if found else 0
    return total / 1024


if __name__ == "__main__":
    sys.exit(main())
