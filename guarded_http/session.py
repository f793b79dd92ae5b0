"""`requests.Session` that connects to allowed addresses only."""

import time
from collections.abc import Container, Iterable
from dataclasses import replace
from io import BytesIO
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse

from guarded_http.addresses import parse_networks
from guarded_http.client import Client, Limits, Outcome
from guarded_http.connect import Fault

MAX_REDIRECTS = 3
_WRITTEN_BY_CLIENT = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "transfer-encoding", "user-agent"}
)


class AddressRefused(requests.exceptions.InvalidURL):
    """A URL whose scheme, port or addresses may not be contacted."""


class AnswerRefused(requests.exceptions.RequestException):
    """A response that is too long, or compressed although the client does not accept it."""


class Session(requests.Session):
    """A `requests.Session` that checks each request and each redirect."""

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        ports: Container[int] = range(1, 65_536),
        timeout: float = 30.0,
        max_bytes: int = 10_000_000,
        ca_bundle: str = "",
        plain_http: bool = False,
    ) -> None:
        super().__init__()
        self.trust_env = False
        self.max_redirects = MAX_REDIRECTS
        client = Client(
            user_agent="guarded_http/1.0",
            ports=ports,
            allow_nets=parse_networks(allow),
            allows_http=True,
            allows_public_http=plain_http,
            ca_bundle=ca_bundle,
        )
        self.timeout = timeout
        self.adapter = GuardedAdapter(client, max_bytes)
        for scheme in ("https://", "http://"):
            self.mount(scheme, self.adapter)

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        """Send a request. `requests` calls this method with the same deadline for redirects."""
        options.setdefault("until", deadline(self.timeout, options.get("timeout")))
        return super().send(request, **options)


def deadline(limit: float, timeout: float | tuple[float | None, ...] | None) -> float:
    """Return now plus the smallest timeout, on the monotonic clock."""
    parts = timeout if isinstance(timeout, tuple) else (timeout,)
    return time.monotonic() + min([limit, *(part for part in parts if part)])


class GuardedAdapter(HTTPAdapter):
    """Adapter that sends each request by a `Client`, on a new connection."""

    def __init__(self, client: Client, max_bytes: int) -> None:
        super().__init__()
        self._client = client
        self._max_bytes = max_bytes

    def send(
        self, request: requests.PreparedRequest, *_args: Any, until: float = 0.0, **_options: Any
    ) -> requests.Response:
        """Send the request and read the whole response.

        `until` is the deadline on the monotonic clock. Certificates are always verified.
        """
        seconds = until - time.monotonic()
        headers = {
            name: text.decode("latin-1") if isinstance(text, bytes) else text
            for name, text in request.headers.items()
            if name.lower() not in _WRITTEN_BY_CLIENT
        }
        agent = request.headers.get("User-Agent") or self._client.user_agent
        outcome = replace(self._client, user_agent=agent).request(
            request.method or "GET",
            request.url or "",
            Limits(connect_seconds=seconds, total_seconds=seconds, read_bytes=self._max_bytes),
            headers=headers,
            body=_body(request),
        )
        self._check(outcome, request)
        raw = HTTPResponse(
            body=BytesIO(outcome.body),
            headers=outcome.headers,
            status=outcome.status or 0,
            preload_content=False,
            decode_content=False,
        )
        return self.build_response(request, raw)

    def _check(self, outcome: Outcome, request: requests.PreparedRequest) -> None:
        if outcome.status is None:
            refused = outcome.fault is Fault.POLICY
            kind = AddressRefused if refused else requests.exceptions.ConnectionError
            raise kind(outcome.error, request=request)
        if len(outcome.body) > self._max_bytes:
            sentence = f"The answer is longer than {self._max_bytes:,} bytes."
            raise AnswerRefused(sentence, request=request)
        if outcome.headers.get("content-encoding", "identity").lower() != "identity":
            sentence = "The answer is compressed, although that was not asked for."
            raise AnswerRefused(sentence, request=request)


def _body(request: requests.PreparedRequest) -> bytes:
    body = request.body or b""
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes):
        return body
    raise ValueError("A guarded request takes a body of bytes, not a stream.")
