"""JSON-RPC 2.0 as MCP uses it: messages, results and errors."""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

Json = dict[str, Any]
Id = str | int

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

MAX_ID = 2**53 - 1  # The largest integer that all JSON parsers read exactly (RFC 7493 2.2).
SHOWN_CHARACTERS = 100  # Limit for a client's text in a message.
# Python reads digits in quadratic time. A number with more digits exceeds every bound anyway.
_MAX_DIGITS = 300
_SURROGATE = re.compile("[\ud800-\udfff]")


class RpcError(Exception):
    """Members of an error response, and the status and headers of HTTP."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        data: Json | None = None,
        status: int | None = None,
        request_id: Id | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status
        self.request_id = request_id
        self.headers = headers


def invalid_request(
    message: str, status: int = 400, *, request_id: Id | None = None, **headers: str
) -> RpcError:
    return RpcError(INVALID_REQUEST, message, status=status, request_id=request_id, headers=headers)


def invalid_params(message: str) -> RpcError:
    return RpcError(INVALID_PARAMS, message)


class Message(NamedTuple):
    """A request, a notification (without an id), or a response (without a method)."""

    method: str | None
    params: Json
    id: Id | None = None


class Answer(NamedTuple):
    """Status, body and headers of an answer. `body` is a JSON value, None for no body."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = MappingProxyType({})


# --- Reading --------------------------------------------------------------------------------------


def decode(body: bytes) -> Any:
    """Decode strict JSON in UTF-8. Raises `RpcError`, also for NaN and repeated members."""
    try:
        return _DECODER.decode(body.decode())
    except UnicodeDecodeError:
        message = "The body must be JSON in UTF-8."
    except RecursionError:
        message = "The body is nested too deeply to be read."
    except ValueError:
        message = "The body is not JSON."
    raise RpcError(PARSE_ERROR, message, status=400)


def _members(pairs: list[tuple[str, Any]]) -> Json:
    members = dict(pairs)
    if len(members) != len(pairs):
        # A proxy that checks the body may read the other member (RFC 8259 4).
        raise invalid_request("An object in the body names a member twice.")
    return members


def _constant(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and Infinity are not JSON (RFC 8259 6).


def _integer(digits: str) -> int:
    return int(digits[:_MAX_DIGITS])


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members, parse_constant=_constant, parse_int=_integer
)


def read(value: Any) -> Message:
    """Read a JSON value as a message. Raises `RpcError`, with the message's id if it has one."""
    if not isinstance(value, dict):
        raise invalid_request("The body must be one JSON-RPC message, an object.")
    request_id = id_of(value)
    if value.get("jsonrpc") != "2.0":
        raise invalid_request('jsonrpc must be "2.0".', request_id=request_id)
    if "id" in value and request_id is None and not _is_response(value):
        raise invalid_request("id must be a string or an integer of at most 53 bits.")
    if "method" not in value:
        if _is_response(value):
            return Message(None, {})
        raise invalid_request("method is missing.", request_id=request_id)
    method = value["method"]
    if not isinstance(method, str):
        raise invalid_request("method must be a string.", request_id=request_id)
    params = value.get("params")
    if params is None:
        params = {}  # Some clients send null for absent parameters.
    if not isinstance(params, dict):
        message = "params must be an object."
        raise RpcError(INVALID_PARAMS, message, status=400, request_id=request_id)
    return Message(method, params, request_id)


def _is_response(value: Json) -> bool:
    return "method" not in value and ("result" in value or "error" in value)


def id_of(value: Any) -> Id | None:
    """Return the id of a message, None if it is missing or an answer cannot repeat it."""
    found = value.get("id") if isinstance(value, dict) else None
    if isinstance(found, str):
        return None if _SURROGATE.search(found) else found
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) <= MAX_ID:
        return found
    return None


def meta_of(value: Any) -> Json:
    """Return the `_meta` of a message's parameters, empty if it is malformed."""
    params = value.get("params") if isinstance(value, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


# --- Answering ------------------------------------------------------------------------------------


def result(request_id: Id, members: Json) -> Json:
    return {"jsonrpc": "2.0", "id": request_id, "result": members}


def error(problem: RpcError, request_id: Id | None = None) -> Json:
    """Return an error response. Its id is null if the message had no valid one."""
    described: Json = {"code": problem.code, "message": problem.message}
    if problem.data is not None:
        described["data"] = problem.data
    known = problem.request_id if request_id is None else request_id
    return {"jsonrpc": "2.0", "id": known, "error": described}


def truncate(text: str) -> str:
    """Shorten a client's text for a message, as valid Unicode."""
    valid = _SURROGATE.sub("?", text)
    cut = valid[:SHOWN_CHARACTERS]
    return cut if cut == valid else f"{cut}…"


def quote_for_message(text: str) -> str:
    """Shorten a client's text and put it in quotation marks."""
    return json.dumps(truncate(text), ensure_ascii=False)
