"""Errors: their form in each protocol."""

from collections.abc import Mapping

import orjson
from django.db import Error as DatabaseError
from django.http import HttpResponse

from core.http import problems
from core.http.headers import HUB_PATH, HUB_STATUS_PATH
from core.logging import request_id
from mcp_server import jsonrpc
from publishing.registry import registry
from reviews.models import Business
from reviews.selectors import get_business

MCP_PATHS = ("/mcp", "/mcp/")


def register_formats() -> None:
    problems.register_error_format([HUB_PATH, HUB_STATUS_PATH], problems.plain_text_error)
    problems.register_error_format(MCP_PATHS, _rpc_error)
    problems.register_page_context(_business)
    problems.register_program_paths(registry)


def _business() -> dict[str, Business | None]:
    """The business whose name stands on the page; None while it cannot be read."""
    try:
        return {"business": get_business()}
    except DatabaseError:
        return {"business": None}


def _rpc_error(status: int, words: str, headers: Mapping[str, str]) -> HttpResponse:
    is_ours = status >= 500
    code = jsonrpc.INTERNAL_ERROR if is_ours else jsonrpc.INVALID_REQUEST
    data = {"request_id": request_id.get()} if is_ours else None
    body = jsonrpc.error(jsonrpc.RpcError(code, words, data=data))
    return problems.raw_error(orjson.dumps(body), status, "application/json", headers)
