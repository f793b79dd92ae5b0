"""Headers and refusals of the operations, for `extend_schema`."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from core.http.problems import DETAILS
from core.serializers import ProblemSerializer

Statuses = list[int | str]

CONTENT: Statuses = [200, 304]
LIMITED: Statuses = [200, 304, 400, 429]


def response_header(
    name: str,
    description: str,
    example: Any,
    statuses: Statuses | None = None,
    type_: Any = str,
) -> OpenApiParameter:
    """A header of the answers with these statuses, by default of all."""
    return OpenApiParameter(
        name,
        type_,
        OpenApiParameter.HEADER,
        description=description,
        examples=[OpenApiExample("Example", value=example)],
        response=statuses or True,
    )


def request_header(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, description=description)


REQUEST_ID = response_header(
    "X-Request-Id",
    "The request's id: your own, if you sent a plain one and no cache may store the answer.",
    "a1b2c3",
)
ETAG = response_header(
    "ETag",
    "Strong validator of these bytes in this content coding; send it as If-None-Match.",
    '"8b1a9953c4611296a827abf8c47804d7"',
    CONTENT,
)
LAST_MODIFIED = response_header(
    "Last-Modified", "When these bytes last changed.", "Sat, 14 Mar 2026 09:30:00 GMT", CONTENT
)
CACHING = [
    response_header(
        "Cache-Control",
        "How long a copy is good.",
        "public, max-age=60, stale-while-revalidate=300",
        CONTENT,
    ),
    response_header(
        "Link",
        "RFC 8288: the description of the interface (service-desc); of a WebSub topic its hub and "
        "its own address (self); of a page of search results the next one (next).",
        '<{base_url}/.well-known/openapi.json>; rel="service-desc"',
        CONTENT,
    ),
    REQUEST_ID,
]
IF_NONE_MATCH = request_header("If-None-Match", "ETags of the copies at hand, or *.")
IF_MODIFIED_SINCE = request_header(
    "If-Modified-Since", "Last-Modified of the copy at hand; ignored beside If-None-Match."
)


def rate_limit_headers(statuses: Statuses) -> list[OpenApiParameter]:
    return [
        response_header(
            "RateLimit-Policy",
            "Requests (q) in so many seconds (w), for each client address.",
            '"search";q=600;w=60',
            statuses,
        ),
        response_header(
            "RateLimit",
            "Requests left (r) and seconds until the count begins again (t). Absent without a "
            "limit.",
            '"search";r=599;t=42',
            statuses,
        ),
    ]


def retry_after(statuses: Statuses) -> OpenApiParameter:
    integer = {"type": "integer", "minimum": 1}
    return response_header("Retry-After", "Seconds to wait.", 42, statuses, integer)


def refusal(
    description: str, example: Any = None, body: Any = ProblemSerializer
) -> OpenApiResponse:
    """An answer that is no success; its body is a problem unless another is given."""
    examples = [OpenApiExample("Refusal", value=example)] if example else []
    return OpenApiResponse(body, description, examples)


def problem_example(status: int, title: str, detail: str, **members: Any) -> dict[str, Any]:
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, **members}


NOT_MODIFIED = OpenApiResponse(description="Your copy is still good; no body.")
METHOD_NOT_ALLOWED = refusal(
    "A request with another method.",
    problem_example(405, "Method Not Allowed", f"{DETAILS[405]} Use one of: GET, HEAD, OPTIONS."),
)
TOO_MANY = refusal(
    "Too many requests from your address.",
    problem_example(
        429,
        "Too Many Requests",
        "Too many requests from your address. Please try again in 42 seconds.",
    ),
)
UNAVAILABLE = refusal("The data cannot be read at the moment.")
