"""`httpx.AsyncClient` that reaches only addresses that may be contacted (extra `httpx`)."""

from collections.abc import Container, Iterable
from functools import partial
from typing import Any, TypedDict, Unpack

import anyio.to_thread
import httpx
import requests

from guarded_http.session import MAX_REDIRECTS, AddressRefused, AnswerRefused, Session, deadline


class Guards(TypedDict, total=False):
    """The options of `Session`."""

    allow: Iterable[str]
    ports: Container[int]
    timeout: float
    max_bytes: int
    ca_bundle: str
    plain_http: bool


class AsyncAddressRefused(httpx.RequestError):
    """As `AddressRefused`."""


class AsyncAnswerRefused(httpx.RequestError):
    """As `AnswerRefused`."""


class AsyncClient(httpx.AsyncClient):
    """An `httpx.AsyncClient` with the guards and the options of `Session`, redirects included."""

    def __init__(self, *, follow_redirects: bool = True, **guards: Unpack[Guards]) -> None:
        session = Session(**guards)
        super().__init__(
            transport=GuardedTransport(session),
            timeout=session.timeout,
            follow_redirects=follow_redirects,
            max_redirects=MAX_REDIRECTS,
            trust_env=False,
        )
        self._limit = session.timeout

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """The answer. `httpx` gives a redirect the extensions of its request: one deadline."""
        timeout = request.extensions.get("timeout", {})
        until = deadline(self._limit, tuple(timeout.values()))
        request.extensions = {**request.extensions, "until": until}
        return await super().send(request, **options)


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends each request in a thread, through the adapter of a guarded session."""

    def __init__(self, session: Session) -> None:
        self._adapter = session.adapter

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer, read to its end. A cancelled request ends with its deadline."""
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
        answer.headers.pop("Set-Cookie", None)  # `Session` keeps none either.
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
