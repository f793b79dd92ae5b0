"""A WebSub subscriber on the standard library; see README.md beside it."""

import hashlib
import hmac
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import urlopen

HUB, TOPIC, CALLBACK, CERTIFICATE, SECRET = sys.argv[1:]
METHODS = {"sha256", "sha384", "sha512"}
MAX_BYTES = 100_000_000


def subscribe() -> None:
    fields = {
        "hub.mode": "subscribe",
        "hub.topic": TOPIC,
        "hub.callback": CALLBACK,
        "hub.secret": SECRET,
    }
    with urlopen(HUB, urlencode(fields).encode(), timeout=10) as answer:
        print("Asked to subscribe:", answer.status, flush=True)


def renew_after(seconds: float) -> None:
    timer = threading.Timer(seconds, subscribe)
    timer.daemon = True
    timer.start()


def is_signed(body: bytes, header: str) -> bool:
    method, _, given = header.partition("=")
    if method not in METHODS:
        return False
    expected = hmac.new(SECRET.encode(), body, getattr(hashlib, method)).hexdigest()
    return hmac.compare_digest(expected.encode(), given.encode())


def received(body: bytes) -> None:
    print("Received", len(body), "bytes", flush=True)  # Put them into a queue of yours here.


class Callback(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        hub = dict(parse_qsl(query))
        if path != urlsplit(CALLBACK).path or hub.get("hub.topic") != TOPIC:
            self.answer(404)
        elif hub.get("hub.mode") == "subscribe":
            renew_after(int(hub["hub.lease_seconds"]) / 2)
            print("Confirmed", flush=True)
            self.answer(200, hub["hub.challenge"].encode())
        elif hub.get("hub.mode") == "denied":
            print("Denied:", repr(hub.get("hub.reason")), flush=True)
            self.answer(200)
        else:
            self.answer(404)

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        if self.path != urlsplit(CALLBACK).path or length > MAX_BYTES:
            self.close_connection = True
            self.answer(404)
            return
        body = self.rfile.read(length)
        if is_signed(body, self.headers.get("X-Hub-Signature", "")):
            received(body)
        else:
            print("Ignored: the signature does not fit", flush=True)
        self.answer(200)

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE)
server = ThreadingHTTPServer(("", urlsplit(CALLBACK).port or 443), Callback)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=subscribe).start()
server.serve_forever()
