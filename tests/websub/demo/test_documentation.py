"""Examples of the documentation, run as they stand."""

import contextlib
import re
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from tests.processes import ROOT
from tests.waiting import eventually
from tests.websub.demo.talking import CHALLENGE, TOPIC, connect, request
from websub import demo_certificates, demo_subscriber, protocol
from websub.demo_certificates import make_certificate


class FakeHub(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.received.append({name: value for name, [value] in parse_qs(body).items()})
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        """Keep the log of a test short."""


@pytest.fixture
def hub():
    server = HTTPServer(("127.0.0.1", 0), FakeHub)
    server.received = []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def example(hub, tmp_path):
    """Starts an example as the documentation says; gives its process."""
    processes = []

    def example(interpreter, name, callback):
        text = (ROOT / "docs" / "subscribers.md").read_text(encoding="utf-8")
        [code] = re.findall(rf"<!-- {re.escape(name)} -->\n```\w+\n(.*?)```", text, re.DOTALL)
        (tmp_path / name).write_text(code, encoding="utf-8")
        certificate = make_certificate(tmp_path).certificate
        address = f"http://127.0.0.1:{hub.server_port}/api/websub/hub"
        command = [interpreter, tmp_path / name, address, TOPIC, callback, certificate, "secret"]
        processes.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        )
        return processes[-1]

    yield example
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize(
    ("interpreter", "name"), [(sys.executable, "subscriber.py"), ("node", "subscriber.mjs")]
)
def test_the_examples_verify_intent_and_signature(example, hub, tmp_path, interpreter, name):
    if not shutil.which(interpreter):
        pytest.skip(f"{interpreter} is not installed")
    callback = f"https://127.0.0.1:{demo_subscriber._free_port()}/callback/hard-to-guess"
    path = urlsplit(callback).path
    process = example(interpreter, name, callback)
    eventually(lambda: hub.received or process.poll() is not None)

    with contextlib.closing(
        connect(urlsplit(callback).port, tmp_path / demo_certificates.AUTHORITY)
    ) as connection:
        query = urlencode(CHALLENGE | {"hub.lease_seconds": "864000"})
        answers = [
            request(connection, "GET", f"{path}?{query}"),
            request(connection, "GET", f"/elsewhere?{query}"),
            request(connection, "GET", f"{path}?{query.replace('feed.xml', 'other')}"),
            request(connection, "GET", f"{path}?{query.replace('subscribe', 'unsubscribe')}"),
        ]
        posts = []
        for method in ("sha256", "sha384", "sha512", "sha1"):
            signature = protocol.signature("secret", b"new content", method)
            posts.append((b"new content", signature))
        posts += [(b"other content", posts[0][1]), (b"new content", ""), (b"", "sha256=zz")]
        statuses = [
            request(connection, "POST", path, body, {"X-Hub-Signature": signature})[0]
            for body, signature in posts
        ]
        denial = urlencode({"hub.mode": "denied", "hub.topic": TOPIC, "hub.reason": "Enough."})
        assert request(connection, "GET", f"{path}?{denial}")[0] == 200

    assert hub.received == [
        {
            "hub.mode": "subscribe",
            "hub.topic": TOPIC,
            "hub.callback": callback,
            "hub.secret": "secret",
        }
    ]
    assert answers[0] == (200, b"echo me")
    assert [status for status, _ in answers[1:]] == [404, 404, 404]
    assert statuses == [200] * 7
    process.kill()
    said = [line.rstrip() for line in process.communicate()[0].splitlines()]
    assert said == [
        "Asked to subscribe: 202",
        "Confirmed",
        *["Received 11 bytes"] * 3,
        *["Ignored: the signature does not fit"] * 4,
        {"subscriber.py": "Denied: 'Enough.'", "subscriber.mjs": 'Denied: "Enough."'}[name],
    ]
