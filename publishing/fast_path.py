"""The shape of what answers requests before Django is entered."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar

from core.db.raw import close_old_connections
from publishing.minimal_request import MinimalRequest, is_allowed_host
from publishing.request_ids import RequestIds
from publishing.responses import StaticResponse

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


class FastPath(ABC):
    """Answers requests of its paths and methods; hands everything else to Django."""

    paths: ClassVar[frozenset[str]]
    methods: ClassVar[frozenset[str]]

    def __init__(self, django: "WSGIApplication", begin: Callable[[str], object]) -> None:
        """`begin` is told the id of each request that is answered here."""
        self._django = django
        self._begin = begin
        self._request_ids = RequestIds()

    @abstractmethod
    def answer(self, asked: MinimalRequest) -> StaticResponse | None:
        """The answer without its id and what is left of a budget; None if Django is to give it."""

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if (
            environ["PATH_INFO"] not in self.paths
            or environ["REQUEST_METHOD"] not in self.methods
            or not is_allowed_host(environ)
        ):
            return self._django(environ, start_response)
        request_id = self._request_ids.assign(environ)
        self._begin(request_id)
        asked = MinimalRequest(environ)
        try:
            answer = self.answer(asked)
        finally:
            close_old_connections()
        if answer is None:
            return self._django(environ, start_response)
        headers = [*answer.headers, ("X-Request-Id", request_id)]
        if asked.rate_limit is not None:
            headers += asked.rate_limit.headers().items()
        start_response(answer.status, headers)
        return answer.body
