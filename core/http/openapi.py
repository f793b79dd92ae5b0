"""Headers and error responses for `extend_schema`; `openapi.toml` holds their texts."""

import tomllib
from pathlib import Path
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from core.serializers import ProblemSerializer

_WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def response_headers(*names: str) -> list[OpenApiParameter]:
    """Headers of responses; the table names the statuses that have them."""
    found = ((name, _WORDS["headers"][name]) for name in names)
    return [
        OpenApiParameter(
            name,
            header.get("schema", str),
            OpenApiParameter.HEADER,
            description=header["description"],
            examples=[OpenApiExample("Example", value=header["example"])],
            response=header.get("statuses", True),
        )
        for name, header in found
    ]


def request_headers(*names: str) -> list[OpenApiParameter]:
    return [
        OpenApiParameter(name, str, OpenApiParameter.HEADER, description=_WORDS["requests"][name])
        for name in names
    ]


def problem_example(status: int, title: str, detail: str, **members: Any) -> dict[str, Any]:
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, **members}


def refusal(
    description: str, example: Any = None, body: Any = ProblemSerializer
) -> OpenApiResponse:
    """Error response, whose body is a problem unless another is given."""
    examples = [OpenApiExample("Refusal", value=example)] if example else []
    return OpenApiResponse(body, description, examples)


def _described(status: int) -> OpenApiResponse:
    words = _WORDS["refusals"][str(status)]
    example = problem_example(status, words["title"], words["detail"])
    return refusal(words["description"], example)


NOT_MODIFIED = OpenApiResponse(description="Your copy is still good; no body.")
METHOD_NOT_ALLOWED, TOO_MANY = _described(405), _described(429)
UNAVAILABLE = refusal("The data cannot be read at the moment.")
