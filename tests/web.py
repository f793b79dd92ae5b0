"""Web processes of one installation, as clients see them."""

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.processes import ROOT, environment, manage, python_process, reserved_port
from tests.waiting import TIMEOUT_SECONDS
from tools.benchmarks.measuring import find

# Repeats each review, in the order of the days as `since` expects.
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


@contextmanager
def web_processes(
    state: Path, count: int = 1, *, application: str = "config.wsgi:application", **values: str
) -> Iterator[list[int]]:
    """Start web processes and yield their ports.

    They share a database with the demo data and a secret key, and nothing else.
    """
    with ExitStack() as stack:
        ports = [stack.enter_context(reserved_port()) for _ in range(count)]
        base = {
            "SECRET_KEY": "k" * 50,
            "BASE_URL": f"http://127.0.0.1:{ports[0]}",
            "CELERY_BROKER_URL": "memory://",
            "GRANIAN_BLOCKING_THREADS": "4",  # As in the image.
        }
        env = environment(state, **(base | values))
        manage(
            ("migrate", "-v0"),
            ("tools.demo_reviews", "--reviews", "312"),
            ("refresh_insights",),
            env=env,
        )
        server = ["-m", "granian", "--interface", "wsgi", "--log-level", "error"]
        server += ["--workers-kill-timeout", "5"]  # A process sometimes misses the signal to stop.
        processes = {
            port: stack.enter_context(
                python_process(
                    *server, "--port", str(port), application, env=env, log=_log(state, port)
                )
            )
            for port in ports
        }
        for port, process in processes.items():
            _wait_for(port, process, state)
        yield ports


def _wait_for(port: int, process: subprocess.Popen[bytes], state: Path) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            is_starting = process.poll() is None and time.monotonic() < deadline
            assert is_starting, f"The web process ended: {_log(state, port).read_text()}"
            time.sleep(0.05)


def _log(state: Path, port: int) -> Path:
    return state / f"web-{port}.log"


def shipped_nginx(folder: Path, port: int, web_port: int) -> list[str]:
    """Return the command that runs nginx with `deploy/nginx.conf` on loopback, without TLS."""
    shipped = (ROOT / "deploy/nginx.conf").read_text()
    shipped = re.sub(r"ssl_\w+ .*;", "", shipped)
    shipped = shipped.replace("listen 80;", f"listen unix:{folder}/plain.sock;")
    shipped = shipped.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    shipped = shipped.replace("127.0.0.1:8000", f"127.0.0.1:{web_port}")
    folder.mkdir()
    folder.chmod(0o755)  # Workers run as another user, so the umask must not matter.
    paths = [f"{kind}_temp_path {folder}/{kind};" for kind in (
        "client_body", "proxy", "fastcgi", "uwsgi", "scgi"
    )]  # fmt: skip
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{ worker_connections 2048; }}\n"
        f"http {{ access_log {folder}/access.log; {' '.join(paths)}\n{shipped}\n}}\n"
    )
    return [str(find("nginx")), "-c", str(folder / "nginx.conf")]
