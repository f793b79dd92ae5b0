"""Published documents on granian, compared with nginx and a bare WSGI function.

`python -m tools.benchmarks.documents` prints two tables. Goal: 304s and gzip 200s at 32 connections
reach 0.9 of the bare function. The distance between granian and nginx depends on the machine.
"""

import contextlib
import gzip
import json
import subprocess
import sys
import tempfile
import urllib.request
from functools import partial
from pathlib import Path

from tools.benchmarks.measuring import (
    ROOT,
    Round,
    Server,
    alternate,
    find,
    free_port,
    installation,
    load,
    machine,
    require,
    response_headers,
    serving,
    table,
    verdict,
)

REVIEWS = 1000
CONNECTIONS = 32
SECONDS = 3
GZIP = {"Accept-Encoding": "gzip"}
# Prefixes of headers that a 304 lacks.
ONLY_ON_200 = ("content-", "x-content-", "x-frame-", "referrer-", "cross-origin-", "strict-")
# Headers of the server, and the id, which differs per response.
NOT_COPIED = {"connection", "date", "server", "x-request-id"}

NGINX = """
daemon off; worker_processes 1; pid {own}/nginx.pid; error_log /dev/null;
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 100000000; gzip_static on; etag on; sendfile on;
  client_body_temp_path {own}/body; proxy_temp_path {own}/proxy;
  fastcgi_temp_path {own}/fastcgi; uwsgi_temp_path {own}/uwsgi; scgi_temp_path {own}/scgi;
  types {{ application/json json; }}
  open_file_cache max=10;
  server {{ listen 127.0.0.1:{port}; root {folder}; }}
}}
"""


def granian(application: str, port: int) -> list[str]:
    return [
        str(Path(sys.executable).parent / "granian"),
        "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port),
        "--http", "1", "--no-ws", "--workers", "1", "--blocking-threads", "4",
        "--backpressure", "512", "--log-level", "error",
        application,
    ]  # fmt: skip


def demo_environment(state: Path, reviews: int, database_url: str = "") -> dict[str, str]:
    """Fill a new database, or the empty one of `database_url`, and publish the demo."""
    # A worker of `tools.benchmarks.edits` reads messages from files.
    env = installation(state, CELERY_BROKER_URL="filesystem://", DATABASE_URL=database_url)
    for command in (
        ["manage.py", "migrate"],
        ["-m", "tools.demo_reviews", "--reviews", str(reviews)],
        ["manage.py", "refresh_insights"],
        ["manage.py", "publish_documents"],
    ):
        subprocess.run(
            [sys.executable, *command],
            cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    return env


def measure() -> str:
    require("nginx", "wrk", "taskset")
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        env = demo_environment(folder / "state", REVIEWS)
        port = free_port()
        front = stack.enter_context(
            serving("front", granian("config.wsgi:application", port), port,
                    ready="/reviews.json", env=env)
        )  # fmt: skip
        # All servers send the same bytes.
        request = urllib.request.Request(front.url("/reviews.json"), headers=GZIP)
        with urllib.request.urlopen(request) as response:
            body, given = response.read(), response.headers.items()
        (folder / "reviews.json").write_bytes(gzip.decompress(body))
        (folder / "reviews.json.gz").write_bytes(body)
        full = [(name.lower(), value) for name, value in given if name.lower() not in NOT_COPIED]
        unmodified = [pair for pair in full if not pair[0].startswith(ONLY_ON_200)]
        by_status = {"200 OK": full, "304 Not Modified": unmodified}
        (folder / "headers.json").write_text(json.dumps(by_status))
        nginx = stack.enter_context(nginx_server(folder))
        port = free_port()
        bare = stack.enter_context(
            serving("bare", granian("tools.benchmarks.bare:application", port), port,
                    ready="/", env={"BARE_FOLDER": str(folder)})
        )  # fmt: skip
        servers = [front, bare, nginx]
        return "\n".join([report("304", servers), report("gzip 200", servers)])


def nginx_server(folder: Path) -> contextlib.AbstractContextManager[Server]:
    """Run nginx for the files of the folder."""
    port = free_port()
    own = folder / "nginx"
    own.mkdir()
    (own / "nginx.conf").write_text(NGINX.format(folder=folder, own=own, port=port))
    return serving("nginx", [str(find("nginx")), "-c", str(own / "nginx.conf")], port,
                   ready="/reviews.json")  # fmt: skip


def report(kind: str, servers: list[Server]) -> str:
    def run(server: Server) -> Round:
        headers = dict(GZIP)
        if kind == "304":
            etag = response_headers(server.url("/reviews.json"), GZIP)["ETag"]
            headers["If-None-Match"] = etag
        return load(server, "/reviews.json", headers, connections=CONNECTIONS, seconds=SECONDS)

    results = alternate({server.name: partial(run, server) for server in servers})
    front, bare, nginx = (results[name] for name in ("front", "bare", "nginx"))
    names = {"front": "front on granian", "bare": "bare WSGI function on granian",
             "nginx": "nginx, static file"}  # fmt: skip
    rows = [
        [names[name], f"{r.rate:,.0f}", f"{r.cpu_us:.1f}", f"{r.rate / nginx.rate:.2f}",
         str(r.errors)]
        for name, r in results.items()
    ]  # fmt: skip
    return (
        table(
            f"{kind}: {REVIEWS:,} reviews, one process, {CONNECTIONS} connections ({machine()})",
            ["server", "requests/s", "CPU µs per request", "against nginx", "errors"],
            rows,
        )
        + f"\nFront against the bare function {front.rate / bare.rate:.2f}: "
        + verdict(front.rate / bare.rate, 0.9, at_least=True)
        + ".\n"
    )


if __name__ == "__main__":
    print(measure())
