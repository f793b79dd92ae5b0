"""The WSGI short-circuit: a search is answered before Django is entered.

Written for the machine: routing, middleware and the request object took a quarter of the CPU of a
search that has to be looked up (`python -m tools.benchmarks.run search`). The view gives the same
answers, which tests show.
"""

from django.conf import settings
from django.db import connection

from core.http.headers import CORS_HEADERS, security_headers
from core.http.throttling import THROTTLE_DECISION, ClientThrottle
from publishing.fast_path import FastPath
from publishing.minimal_request import MinimalRequest
from publishing.responses import StaticResponse
from reviews.search.result_cache import SearchAnswer, search_reviews
from reviews.views import PATH, SearchReviewsView, asked_search, headers_of, is_held


class SearchFront(FastPath):
    """Answers a search that can be answered."""

    paths = frozenset({PATH})
    methods = frozenset({"GET", "HEAD"})
    throttle_scope = SearchReviewsView.throttle_scope

    def answer(self, asked: MinimalRequest) -> StaticResponse | None:
        # No question to PostgreSQL whether it is there: who finds it gone is answered by the view,
        # by a new connection. The question took as long as the search.
        connection.health_check_done = True  # type: ignore[attr-defined]  # The stubs lack it.
        try:
            found = self._search(asked)
        except Exception:  # noqa: BLE001  The view meets whatever is wrong again, and words it.
            found = None
        if found is None:
            asked.META[THROTTLE_DECISION] = asked.rate_limit
            return None
        headers = [*headers_of(found), *CORS_HEADERS]
        if is_held(found, asked.META):
            return StaticResponse("304 Not Modified", headers, [])
        headers += [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(found.body))),
            *security_headers(is_https=settings.IS_HTTPS),
        ]
        return StaticResponse("200 OK", headers, [] if asked.method == "HEAD" else [found.body])

    def _search(self, asked: MinimalRequest) -> SearchAnswer | None:
        """What is found, or None when the client has used up its budget."""
        search = asked_search(asked.META)
        if not ClientThrottle().allow_request(asked, self):
            return None
        return search_reviews(search)
