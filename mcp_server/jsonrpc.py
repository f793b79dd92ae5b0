"""JSON-RPC 2.0 as MCP uses it: messages read from bytes, results and errors."""

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

# RFC 7493 2.2: integers that every JSON parser reads alike.
MAX_ID = 2**53 - 1
# No more than this of a client's text is repeated in a message.
SHOWN_CHARACTERS = 100
# Python takes quadratic time to read digits; so many are beyond every bound anyway.
_MAX_DIGITS = 300
_SURROGATE = re.compile("[\ud800-\udfff]")


class RpcError(Exception):
    """An error response: its members, and the HTTP status."""

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


class Message(NamedTuple):
    """A request; without an id a notification; without a method a response."""

    method: str | None
    params: Json
    id: Id | None = None


class Answer(NamedTuple):
    """An answer before its media type and coding: a JSON value, or None for no body."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = MappingProxyType({})


# --- Reading --------------------------------------------------------------------------------------


def decode(body: bytes) -> Any:
    """The JSON value in `body`: strict UTF-8, no NaN, no member given twice. Raises `RpcError`."""
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
        # RFC 8259 4: a proxy that reads the body may have taken the other one.
        raise RpcError(INVALID_REQUEST, "An object in the body names a member twice.", status=400)
    return members


def _constant(name: str) -> NoReturn:
    raise ValueError(name)  # RFC 8259 6: NaN and Infinity are not JSON.


def _integer(digits: str) -> int:
    return int(digits[:_MAX_DIGITS])


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members, parse_constant=_constant, parse_int=_integer
)


def read(value: Any) -> Message:
    """The message that a JSON value is. Raises `RpcError`, with the id where there is one."""
    if not isinstance(value, dict):
        raise _invalid("The body must be one JSON-RPC message, an object.")
    if value.get("jsonrpc") != "2.0":
        raise _invalid('jsonrpc must be "2.0".', id_of(value))
    if "id" in value and id_of(value) is None and not _is_response(value):
        raise _invalid("id must be a string or an integer of at most 53 bits.")
    if "method" not in value:
        if _is_response(value):
            return Message(None, {})
        raise _invalid("method is missing.", id_of(value))
    method = value["method"]
    if not isinstance(method, str):
        raise _invalid("method must be a string.", id_of(value))
    params = value.get("params")
    if params is None:
        params = {}  # Clients send null for nothing.
    if not isinstance(params, dict):
        raise RpcError(
            INVALID_PARAMS, "params must be an object.", status=400, request_id=id_of(value)
        )
    return Message(method, params, id_of(value))


def _is_response(value: Json) -> bool:
    return "method" not in value and ("result" in value or "error" in value)


def _invalid(message: str, request_id: Id | None = None) -> RpcError:
    return RpcError(INVALID_REQUEST, message, status=400, request_id=request_id)


def id_of(value: Any) -> Id | None:
    """The id of a message as it was sent, or None if it has none that an answer could repeat."""
    found = value.get("id") if isinstance(value, dict) else None
    if isinstance(found, str):
        return None if _SURROGATE.search(found) else found
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) <= MAX_ID:
        return found
    return None


def meta_of(value: Any) -> Json:
    """The `_meta` of a message's parameters, as far as it is well-formed."""
    params = value.get("params") if isinstance(value, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


# --- Answering ------------------------------------------------------------------------------------


def result(request_id: Id, members: Json) -> Json:
    return {"jsonrpc": "2.0", "id": request_id, "result": members}


def error(problem: RpcError, request_id: Id | None = None) -> Json:
    """The error response; its id is null where the message had none that could be read."""
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
