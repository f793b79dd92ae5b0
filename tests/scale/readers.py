"""Readers behind a proxy, which uses the web servers in turn and skips missing ones."""

import contextlib
import itertools
import threading
import time
from collections.abc import Iterator, Sequence

import requests

READERS = 3
PAUSE_SECONDS = 0.005


class Readers:
    def __init__(self, ports: Sequence[int], path: str) -> None:
        self.read = 0
        self.failures: list[str] = []
        self._path = path
        self._ports = list(ports)
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._stop = threading.Event()

    @contextlib.contextmanager
    def without(self, port: int) -> Iterator[None]:
        """Send no new requests to a server, as before a restart."""
        with self._lock:
            self._ports.remove(port)
        time.sleep(0.2)  # Requests already sent are answered.
        yield
        with self._lock:
            self._ports.append(port)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._read_on) for _ in range(READERS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()

    def _read_on(self) -> None:
        while not self._stop.wait(PAUSE_SECONDS):
            with self._lock:
                port = self._ports[next(self._numbers) % len(self._ports)]
            try:
                response = requests.get(f"http://localhost:{port}{self._path}", timeout=10)
                failure = "" if response.ok else f"port {port}: {response.status_code}"
            except OSError as error:
                failure = f"port {port}: {error!r}"
            with self._lock:
                self.read += 1
                self.failures += [failure] * bool(failure)
