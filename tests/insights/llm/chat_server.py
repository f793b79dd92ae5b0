"""A chat completions server on loopback, with the answers of a test."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Answer = tuple[int, dict[str, str], bytes]


def completion(content: object, tokens: int | None = 100) -> Answer:
    """Return a good response. Content that is not text is sent as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    body: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": text}}]}
    if tokens is not None:
        body["usage"] = {"total_tokens": tokens}
    return 200, {}, json.dumps(body).encode()


def failure(status: int, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, b'{"error": {"message": "no"}}'


class ChatServer(ThreadingHTTPServer):
    """Call `answer` with each request's JSON, and store `requests` and `headers`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: Callable[[dict[str, Any]], Answer] = lambda _: failure(500)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.pause_seconds = (
            0.0  # Pause after each byte of a body. Without one the body is sent at once.
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def answer_in_order(self, *answers: Answer) -> None:
        left = list(answers)
        self.answer = lambda _: left.pop(0)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        requests = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(requests)
        self.server.headers.append(dict(self.headers))
        self.server.paths.append(self.path)
        status, headers, body = self.server.answer(requests)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        with suppress(OSError):  # The client has disconnected.
            self.end_headers()
            self._write(body)

    def _write(self, data: bytes) -> None:
        if not self.server.pause_seconds:
            self.wfile.write(data)
            return
        for byte in data:
            self.wfile.write(bytes([byte]))
            threading.Event().wait(self.server.pause_seconds)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the library's name)
        pass
