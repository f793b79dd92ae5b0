"""Format errors for HTML pages and JSON-RPC."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse

from core.http import problems
from core.logging import request_id
from mcp_server import jsonrpc
from reviews.selectors import get_business
from website.languages import language_context, language_of, language_of_path


def page_context(request: HttpRequest) -> dict[str, Any]:
    """Return business and language for an error page. The database may be away."""
    try:
        business = get_business()
    except DatabaseError:
        business = None
    language = language_of_path(request.path) or language_of(business)
    return {"business": business, "language": language, **language_context(business, language)}


def rpc_error(status: int, words: str, headers: Mapping[str, str]) -> HttpResponse:
    is_ours = status >= 500
    code = jsonrpc.INTERNAL_ERROR if is_ours else jsonrpc.INVALID_REQUEST
    data = {"request_id": request_id.get()} if is_ours else None
    body = jsonrpc.error(jsonrpc.RpcError(code, words, data=data))
    return problems.raw_error(orjson.dumps(body), status, "application/json", headers)
