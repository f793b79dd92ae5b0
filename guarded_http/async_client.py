"""`httpx.AsyncClient` that connects to allowed addresses only (extra `httpx`)."""

from collections.abc import Container, Iterable
from functools import partial
from typing import Any, TypedDict, Unpack

import anyio.to_thread
import httpx
import requests

from guarded_http.session import MAX_REDIRECTS, AddressRefused, AnswerRefused, Session, deadline


class SessionOptions(TypedDict, total=False):
    """Keyword arguments of `Session`."""

    allow: Iterable[str]
    ports: Container[int]
    timeout: float
    max_bytes: int
    ca_bundle: str
    plain_http: bool


class AsyncAddressRefused(httpx.RequestError):
    """`AddressRefused` as an `httpx` error."""


class AsyncAnswerRefused(httpx.RequestError):
    """`AnswerRefused` as an `httpx` error."""


class AsyncClient(httpx.AsyncClient):
    """An `httpx.AsyncClient` with the checks and options of `Session`."""

    def __init__(self, *, follow_redirects: bool = True, **options: Unpack[SessionOptions]) -> None:
        session = Session(**options)
        super().__init__(
            transport=GuardedTransport(session),
            timeout=session.timeout,
            follow_redirects=follow_redirects,
            max_redirects=MAX_REDIRECTS,
            trust_env=False,
        )
        self._limit = session.timeout

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send a request and follow its redirects within one deadline."""
        timeout = request.extensions.get("timeout", {})
        # `httpx` copies the extensions of a request to its redirects.
        until = deadline(self._limit, tuple(timeout.values()))
        request.extensions = {**request.extensions, "until": until}
        return await super().send(request, **options)


class GuardedTransport(httpx.AsyncBaseTransport):
    """Transport that sends each request in a thread, by the adapter of a `Session`."""

    def __init__(self, session: Session) -> None:
        self._adapter = session.adapter

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request and read the whole response.

        The thread of a cancelled request runs until the request's deadline at the latest.
        """
        prepared = requests.PreparedRequest()
        prepared.method, prepared.url = request.method, str(request.url)
        prepared.headers = requests.structures.CaseInsensitiveDict(request.headers)
        prepared.body = await request.aread()
        send = partial(self._adapter.send, prepared, until=request.extensions["until"])
        try:
            answer = await anyio.to_thread.run_sync(send, abandon_on_cancel=True)
        except AddressRefused as refused:
            raise AsyncAddressRefused(str(refused)) from None
        except AnswerRefused as refused:
            raise AsyncAnswerRefused(str(refused)) from None
        except requests.ConnectionError as error:
            raise httpx.ConnectError(str(error)) from None
        answer.headers.pop("Set-Cookie", None)  # `Session` stores no cookies either.
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
