"""Readers behind a proxy: they ask the web servers in turn, and another if one is not there."""

import contextlib
import http.client
import itertools
import threading
import time
from collections.abc import Iterator, Sequence

READERS = 3
PAUSE_SECONDS = 0.005


class Readers:
    def __init__(self, ports: Sequence[int], path: str) -> None:
        self.read = 0
        self.failures: list[str] = []
        self._path = path
        self._ports = list(ports)
        self._next_port = itertools.cycle(range(len(ports)))
        self._lock = threading.Lock()
        self._stop = threading.Event()

    @contextlib.contextmanager
    def without(self, port: int) -> Iterator[None]:
        """The proxy sends no new requests there, as before a restart."""
        with self._lock:
            self._ports.remove(port)
        time.sleep(0.2)  # What it had sent there is answered.
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
            failure = self._read_once()
            with self._lock:
                self.read += 1
                if failure:
                    self.failures.append(failure)

    def _read_once(self) -> str:
        with self._lock:
            first = next(self._next_port)
            ports = [self._ports[(first + n) % len(self._ports)] for n in range(len(self._ports))]
        for port in ports:
            connection = http.client.HTTPConnection("localhost", port, timeout=10)
            with contextlib.closing(connection):
                try:
                    connection.request("GET", self._path)
                    response = connection.getresponse()
                    response.read()
                except ConnectionRefusedError:
                    continue
                except (OSError, http.client.HTTPException) as error:
                    return f"port {port}: {error!r}"
                return "" if response.status == http.HTTPStatus.OK else f"{response.status}"
        return "nobody listens"
