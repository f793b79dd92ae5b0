"""The operations of the REST interface."""

from config.openapi.examples import cursor, examples
from config.openapi.responses import LIMITS, Described, content, headers, refusal
from core.http.problems import DETAILS
from reviews.schemas import DATE, STRING, Schema, ref
from reviews.search.parameters import SEARCH

IF_NONE_MATCH: Described = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "ETags of the copies at hand, or *.",
    "schema": STRING,
}
IF_MODIFIED_SINCE: Described = {
    "name": "If-Modified-Since",
    "in": "header",
    "required": False,
    "description": "Last-Modified of the copy at hand; ignored beside If-None-Match.",
    "schema": STRING,
}
CONDITIONAL = [IF_NONE_MATCH, IF_MODIFIED_SINCE]

VALIDATORS = ("ETag", "Last-Modified")
CACHING = ("Cache-Control", "Link", "X-Request-Id")
UNAVAILABLE = refusal("The data cannot be read at the moment.", "Retry-After")
TOO_MANY = refusal(
    "Too many requests from your address.",
    "Retry-After",
    *LIMITS,
    example={
        "type": "about:blank",
        "title": "Too Many Requests",
        "status": 429,
        "detail": "Too many requests from your address. Please try again in 42 seconds.",
    },
)


NOT_SERVED = refusal(
    "A request that is not served as it stands, like one with another method.",
    example={
        "type": "about:blank",
        "title": "Method Not Allowed",
        "status": 405,
        "detail": f"{DETAILS[405]} Use one of: GET, HEAD, OPTIONS.",
    },
)


def _read(
    operation_id: str,
    tag: str,
    summary: str,
    description: str,
    result: Schema,
    *,
    parameters: list[Described],
    validators: tuple[str, ...] = VALIDATORS,
    refused: Described | None = None,
) -> Described:
    """A GET that can be revalidated; with `refused` one that has parameters and a rate limit."""
    answered = headers(*validators, *CACHING, *(LIMITS if refused else ()))
    example = {"demo": examples()[operation_id]}
    refusals = {"400": refused, "429": TOO_MANY} if refused else {"4XX": NOT_SERVED}
    return {
        "operationId": operation_id,
        "tags": [tag],
        "summary": summary,
        "description": description,
        "parameters": parameters,
        "responses": {
            "200": {
                "description": summary,
                "headers": answered,
                "content": content(result, example),
            },
            "304": {"description": "Your copy is still good; no body.", "headers": answered},
            **refusals,
            "503": UNAVAILABLE,
        },
    }


def _bad(detail: str, issue: Described) -> Described:
    return refusal(
        detail,
        *LIMITS,
        shape="ValidationProblem",
        example={
            "type": "about:blank",
            "title": "Bad Request",
            "status": 400,
            "detail": "Some parameters cannot be used; see issues.",
            "issues": [issue],
        },
    )


SEARCH_PARAMETERS: list[Described] = [
    {
        "name": parameter.name,
        "in": "query",
        "required": False,
        "description": parameter.description,
        "schema": parameter.schema(),
        "example": cursor() if parameter.name == "cursor" else parameter.example,
    }
    for parameter in SEARCH
]
DATE_PARAMETER: Described = {
    "name": "date",
    "in": "path",
    "required": True,
    "description": "The first day of interest; a day in the future gives an empty list.",
    "schema": DATE,
    "example": "2026-01-01",
}


def reads() -> dict[str, Described]:
    """The operations of the REST interface by id, in the order in which they are described."""
    operations = [
        _read(
            "getReviews",
            "reviews",
            "The business, its aggregate rating and all reviews",
            "One document with everything. Also a WebSub topic.",
            ref("ReviewsDataset"),
            parameters=CONDITIONAL,
        ),
        _read(
            "getInsights",
            "insights",
            "What the reviews say",
            "Aspects, technicians, services, problems, areas, topics and the trend, with the "
            "reviews that each figure was made from.",
            ref("InsightsDataset"),
            parameters=CONDITIONAL,
        ),
        _read(
            "getFeed",
            "feeds",
            "The 50 newest reviews as JSON Feed 1.1",
            "For feed readers. Also a WebSub topic.",
            ref("JsonFeed"),
            parameters=CONDITIONAL,
        ),
        _read(
            "searchReviews",
            "reviews",
            "The reviews that match all filters",
            "Filters combine with AND; without any, all reviews match. Unknown parameters are "
            "ignored and named in the answer; a parameter given twice is refused. Newest first, "
            "unless sort says otherwise.",
            ref("SearchResult"),
            parameters=[*SEARCH_PARAMETERS, IF_NONE_MATCH],
            validators=("ETag",),
            refused=_bad(
                "Parameters that cannot be used, all of them at once.",
                {
                    "code": "too_big",
                    "path": ["limit"],
                    "message": "limit must be a whole number from 1 to 100.",
                    "maximum": 100,
                    "inclusive": True,
                    "received": "500",
                },
            ),
        ),
        _read(
            "getReviewsSince",
            "reviews",
            "All reviews on or after a day",
            "To keep a copy up to date.",
            ref("SinceResult"),
            parameters=[DATE_PARAMETER, *CONDITIONAL],
            refused=_bad(
                "A date that is none.",
                {
                    "code": "invalid_date",
                    "path": ["date"],
                    "message": "date must be a calendar day written as YYYY-MM-DD.",
                    "received": "2026-02-30",
                },
            ),
        ),
    ]
    return {operation["operationId"]: operation for operation in operations}
