"""A publisher with its hub on loopback, for subscribers."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

import pytest

LINKS = '<{hub}>; rel="hub", <{self}>; rel="self"'


class Publisher(BaseHTTPRequestHandler):
    """A topic and its hub, with responses set by a test."""

    def do_GET(self):
        self.answer(*self.server.topic)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.requests.append((self.path, dict(parse_qsl(body))))
        self.answer(*self.server.hub.get(self.path, self.server.hub["/hub"]))

    def answer(self, status, headers=(), body=""):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args):
        """Keep the log of a test short."""


@pytest.fixture
def publisher():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Publisher)
    server.url = f"http://127.0.0.1:{server.server_port}"
    server.names = {"hub": f"{server.url}/hub", "self": f"{server.url}/feed"}
    server.topic = (200, {"Link": LINKS.format(**server.names)})
    server.hub, server.requests = {"/hub": (202,)}, []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()
