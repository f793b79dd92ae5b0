"""Errors in the forms of our protocols, and the business on pages of errors."""

from collections.abc import Mapping

import orjson
from django.db import Error as DatabaseError
from django.http import HttpResponse

from core.http.headers import HUB_PATH, HUB_STATUS_PATH
from core.http.problems import (
    plain_text_error,
    raw_error,
    register_error_format,
    register_page_context,
    register_program_paths,
)
from core.logging import request_id
from mcp_server import jsonrpc
from publishing.registry import registry
from reviews.models import Business
from reviews.selectors import get_business

MCP_PATHS = ("/mcp", "/mcp/")


def register() -> None:
    register_error_format([HUB_PATH, HUB_STATUS_PATH], plain_text_error)
    register_error_format(MCP_PATHS, _rpc_error)
    register_page_context(_business)
    register_program_paths(registry)


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
    return raw_error(orjson.dumps(body), status, "application/json", headers)
