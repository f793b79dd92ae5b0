"""Parts of the operations' descriptions: headers, content, refusals."""

from collections.abc import Mapping
from typing import Any

from reviews.schemas import STRING, Schema, ref

Described = dict[str, Any]


def _header(description: str, example: Any, schema: Schema = STRING) -> Described:
    return {"description": description, "schema": schema, "example": example}


HEADERS: Mapping[str, Described] = {
    "ETag": _header(
        "Strong validator of these bytes in this content coding; send it as If-None-Match.",
        '"8b1a9953c4611296a827abf8c47804d7"',
    ),
    "Last-Modified": _header("When these bytes last changed.", "Sat, 14 Mar 2026 09:30:00 GMT"),
    "Cache-Control": _header(
        "How long a copy is good.", "public, max-age=60, stale-while-revalidate=300"
    ),
    "Link": _header(
        "RFC 8288: the description of the interface (service-desc); of a WebSub topic its hub and "
        "its own address (self); of a page of search results the next one (next).",
        '<{base_url}/.well-known/openapi.json>; rel="service-desc"',
    ),
    "RateLimit": _header(
        "Requests left (r) and seconds until the count begins again (t). Absent without a limit.",
        '"search";r=599;t=42',
    ),
    "RateLimit-Policy": _header(
        "Requests (q) in so many seconds (w), for each client address.", '"search";q=600;w=60'
    ),
    "Retry-After": _header("Seconds to wait.", 42, {"type": "integer", "minimum": 1}),
    "X-Request-Id": _header("The request's id: your own, if you sent a plain one.", "a1b2c3"),
    "Mcp-Session-Id": _header(
        "On the answer to initialize: the session; send it with every later request.",
        "eyJpc3N1ZWQiOjE3NzM0ODA2MDB9.c2lnbmVk",
    ),
}

LIMITS = ("RateLimit-Policy", "RateLimit")


def headers(*names: str) -> Described:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def content(schema: Schema, examples: Mapping[str, Any] | None = None) -> Described:
    media: Described = {"schema": schema}
    if examples:
        media["examples"] = {name: {"value": value} for name, value in examples.items()}
    return {"application/json": media}


def refusal(
    description: str, *names: str, shape: str = "Problem", example: Any = None
) -> Described:
    """An answer that is not a success, with these headers; its body is a problem unless told."""
    return {
        "description": description,
        "headers": headers(*names, "X-Request-Id"),
        "content": content(ref(shape), {"refusal": example} if example else None),
    }
