"""HTTP client for sources, on top of `guarded_http`.

The client checks each address when it connects, and follows at most three redirects. Secrets are
only sent to the origin of the first address. Responses have the size limit of an upload. A status
without success raises `SourceFailure` with a sentence for administrators.
"""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings

from guarded_http.addresses import parse_networks, parse_ports
from guarded_http.client import Client, Limits, retry_after_seconds
from review_exports.values.people import EMAIL, PHONE_AMONG_WORDS
from reviews import VERSION

MAX_REDIRECTS = 3
CONNECT_SECONDS = 10.0
TOTAL_SECONDS = 60.0
PORTS = parse_ports("80,443,8443,1024-65535")
REDIRECTS = frozenset({301, 302, 303, 307, 308})
CONDITIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}  # By validator.
UNPACK_BYTES = 64 * 1024
NOT_GZIP = (EOFError, OSError, zlib.error)
MAX_SHOWN = 200
REMOVED = "[removed]"
ALLOW = "Enter a public address, or name its network in SOURCES_ALLOWED_NETWORKS."
MAX_JSON_BYTES = 5_000_000  # Parsed objects may take thirty times as much memory.


# --- Failures of a source -------------------------------------------------------------------------


class SourceFailure(Exception):
    """A failed poll of a source, which is tried again after a wait.

    The message is shown to administrators: it names cause and remedy, and holds no secret.
    `retry_after_seconds` is the wait that the source asks for. `state` is passed to the next poll;
    None keeps the stored state.
    """

    needs_person = False

    def __init__(
        self,
        sentence: str,
        *,
        retry_after_seconds: float = 0.0,
        state: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.retry_after_seconds = retry_after_seconds
        self.state = state


class CredentialsRefused(SourceFailure):
    """A key, password or grant that the source does not accept. A retry does not help."""

    needs_person = True


class NotFound(SourceFailure):
    """An address or id that the source does not know."""


class RequestRefused(SourceFailure):
    """A request that the source does not understand."""


def sanitize(given: object) -> str:
    """Reduce a message of a provider to one short line, without contact data."""
    line = " ".join(str(given).split())
    line = "".join(letter for letter in line if letter.isprintable()).rstrip(".")
    line = PHONE_AMONG_WORDS.sub(REMOVED, EMAIL.sub(REMOVED, line))
    return line if len(line) <= MAX_SHOWN else f"{line[:MAX_SHOWN]}…"


# --- Requests and responses -----------------------------------------------------------------------


class JsonRefused(Exception):
    """A text that is not JSON, or too long to parse within a connector."""


def parse_json(content: bytes) -> Any:
    """Parse a JSON document of limited size. Raises `JsonRefused`."""
    if len(content) > MAX_JSON_BYTES:
        raise JsonRefused(f"it is longer than {MAX_JSON_BYTES:,} bytes; let it hold fewer reviews.")
    try:
        return json.loads(content)
    except RecursionError:
        raise JsonRefused("its JSON is nested too deeply.") from None
    except ValueError:
        raise JsonRefused("it is not JSON.") from None


@dataclass(frozen=True, slots=True)
class Response:
    """A response with a status of success (2xx), or 304 for a conditional request.

    `content` is unpacked.
    """

    status: int
    url: str
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_unchanged(self) -> bool:
        return self.status == 304

    @property
    def validators(self) -> dict[str, str]:
        """The headers that make the next request conditional."""
        return {name: self.headers[name] for name in CONDITIONS if self.headers.get(name)}

    @property
    def is_page(self) -> bool:
        """Whether the content is a web page, like a sign-in page."""
        start = self.content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        return start.startswith((b"<!doctype html", b"<html", b"<head"))

    def json(self) -> Any:
        """Parse the content as JSON. Raises `SourceFailure`."""
        try:
            return parse_json(self.content)
        except JsonRefused as refused:
            raise SourceFailure(
                f"The answer of {host_of(self.url)} cannot be read: {refused} The next check tries "
                "again."
            ) from None


class SourceClient:
    """Client for the requests of one poll.

    `on_request` is called before each request, and may raise to end the poll.
    """

    def __init__(self, on_request: Callable[[], None] = lambda: None) -> None:
        self._on_request = on_request

    def get(
        self,
        url: str,
        *,
        secret_headers: Mapping[str, str] | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> Response:
        """Send a GET and follow redirects. Validators in `state` make it conditional."""
        validators = state or {}
        headers = {CONDITIONS[name]: validators[name] for name in CONDITIONS & validators.keys()}
        start = url
        for _ in range(MAX_REDIRECTS + 1):
            secret = (secret_headers or {}) if origin_of(url) == origin_of(start) else {}
            response = self._request("GET", url, {**headers, **secret})
            if response.status not in REDIRECTS:
                return response
            url = _next_url(url, response.headers.get("location", ""))
        raise SourceFailure(
            f"{host_of(start)} redirects more than {MAX_REDIRECTS} times. Enter the address at "
            "which the file really is."
        )

    def post(
        self,
        url: str,
        body: bytes,
        *,
        method: str = "POST",
        content_type: str = "application/json",
        secret_headers: Mapping[str, str] | None = None,
        returned: frozenset[int] = frozenset(),
    ) -> Response:
        """Send a body. A redirect is a failure, since the body may be a secret.

        Responses with the error statuses in `returned` are returned instead of raised.
        """
        sent = {"Content-Type": content_type, **(secret_headers or {})}
        return self._request(method, url, sent, body, returned)

    def _request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        returned: frozenset[int] = frozenset(),
    ) -> Response:
        self._on_request()
        most = settings.IMPORT_MAX_BYTES
        limits = Limits(CONNECT_SECONDS, TOTAL_SECONDS, read_bytes=most)
        sent = {"Accept-Encoding": "gzip", **headers}
        try:
            outcome = _client().request(method, url, limits, headers=sent, body=body)
        except ValueError:  # An address or header with characters that HTTP does not allow.
            raise SourceFailure(
                "The address or a header holds characters that it must not have. Copy it again."
            ) from None
        if outcome.status is None:
            is_private = outcome.error.endswith("public addresses alone.")
            raise SourceFailure(f"{outcome.error} {ALLOW}" if is_private else outcome.error)
        response = Response(outcome.status, url, headers=outcome.headers)
        if method == "GET" and response.status in REDIRECTS | {304}:
            return response
        if not outcome.is_success and response.status not in returned:
            raise _failure(response)
        if len(outcome.body) > most:
            raise _too_large(url)
        return Response(response.status, url, _unpacked(outcome.body, response), response.headers)


def host_of(url: str) -> str:
    """Return the host of an address. Messages name only the host, since the rest may be secret."""
    return urlsplit(url).hostname or "The source"


def gunzip_chunks(packed: bytes) -> Iterator[bytes]:
    """Unpack a gzip stream in chunks. Raises one of `NOT_GZIP`."""
    with gzip.open(io.BytesIO(packed)) as stream:
        yield from iter(partial(stream.read, UNPACK_BYTES), b"")


def _unpacked(body: bytes, response: Response) -> bytes:
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in {"", "identity"}:
        return body
    if coding not in {"gzip", "x-gzip"}:
        raise SourceFailure(f"{host_of(response.url)} sends an encoding that was not requested.")
    unpacked = bytearray()
    try:
        for chunk in gunzip_chunks(body):
            unpacked += chunk
            if len(unpacked) > settings.IMPORT_MAX_BYTES:
                raise _too_large(response.url)
    except NOT_GZIP:
        raise SourceFailure(
            f"The answer of {host_of(response.url)} is damaged. The next check tries again."
        ) from None
    return bytes(unpacked)


def _too_large(url: str) -> SourceFailure:
    return SourceFailure(
        f"The answer of {host_of(url)} is larger than {settings.IMPORT_MAX_BYTES:,} bytes. Let it "
        "hold fewer reviews, such as those of the last year, or raise IMPORT_MAX_BYTES."
    )


def _next_url(url: str, location: str) -> str:
    try:
        target = urljoin(url, location)
        scheme = urlsplit(target).scheme
    except ValueError:
        location = ""
    if not location:
        raise SourceFailure(f"{host_of(url)} redirects to nowhere. Copy the address again.")
    if scheme != "https" and urlsplit(url).scheme != "http":
        raise SourceFailure(
            f"{host_of(url)} redirects from https to another scheme, which is not followed. Enter "
            "the https address of the file itself."
        )
    return target.partition("#")[0]


def origin_of(url: str) -> tuple[str, str | None, int | None]:
    """Return scheme, host and port. Secrets are only sent to their own origin."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _failure(response: Response) -> SourceFailure:
    host, status = host_of(response.url), response.status
    if status in {401, 403}:
        return CredentialsRefused(
            f"{host} refuses access (HTTP {status}). Renew the key or password here, or share the "
            "address with everybody who has the link; then resume the source."
        )
    if status in {404, 410}:
        return NotFound(f"{host} has nothing at this address (HTTP {status}). Copy it again.")
    wait = retry_after_seconds(response.headers.get("retry-after", ""), datetime.now(UTC))
    if status == 429 or status >= 500:
        return SourceFailure(
            f"{host} has been asked too often (HTTP 429). The next check waits longer."
            if status == 429
            else f"{host} does not work at the moment (HTTP {status}). The next check tries again.",
            retry_after_seconds=wait,
        )
    return RequestRefused(
        f"{host} does not answer with a file (HTTP {status}). Check the address and the settings."
    )


def _client() -> Client:
    return Client(
        user_agent=f"Reviews/{VERSION} (+{settings.BASE_URL})",
        ports=PORTS,
        allow_nets=parse_networks(settings.SOURCES_ALLOWED_NETWORKS),
        peer="source",
        allows_http=True,
        ca_bundle=settings.WEBSUB_CA_BUNDLE,
    )
