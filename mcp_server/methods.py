"""Methods that revisions with and without sessions share."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from mcp_server import conf
from mcp_server.arguments import Argument, InvalidArguments
from mcp_server.context import Exchange
from mcp_server.encoding import JsonText, NoJsonForm, dumps
from mcp_server.jsonrpc import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Json,
    RpcError,
    invalid_params,
    quote_for_message,
    truncate,
)
from mcp_server.registry import (
    APP_HTML,
    Content,
    Declared,
    PromptError,
    Resource,
    SignInRequired,
    Tool,
    ToolError,
    registry,
)

logger = logging.getLogger(__name__)

Item = TypeVar("Item")
Method = Callable[[Exchange, str, Json], Json]

MODERN = "2026-07-28"  # The first revision without sessions.
RESOURCE_NOT_FOUND = -32002  # Revisions without sessions use INVALID_PARAMS instead.
MAX_COMPLETIONS = 100

CAPABILITIES: Json = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}

# MCP Apps. Every client receives the `_meta` of this extension, so that lists can be cached for
# all clients; a client ignores what it does not support.
UI_EXTENSION = "io.modelcontextprotocol/ui"

# Revision that introduced a member; members without an entry exist in all revisions.
INTRODUCED: Mapping[str, str] = {
    "_meta": "2025-06-18",
    "annotations": "2025-03-26",
    "completions": "2025-03-26",
    "title": "2025-06-18",
    "outputSchema": "2025-06-18",
    "structuredContent": "2025-06-18",
    "extensions": MODERN,
}
# Revision that introduced a member of `serverInfo`.
INTRODUCED_OF_IMPLEMENTATION: Mapping[str, str] = {
    "title": "2025-06-18",
    "description": "2025-11-25",
    "icons": "2025-11-25",
    "websiteUrl": "2025-11-25",
}


def filter_by_revision(
    members: Json, revision: str, introduced: Mapping[str, str] = INTRODUCED
) -> Json:
    """Return the members that the revision defines. Revisions are dates, compared as texts."""
    if revision >= MODERN:
        return members
    return {key: value for key, value in members.items() if introduced.get(key, "") <= revision}


def capabilities(revision: str) -> Json:
    has_ui = any(each.media_type == APP_HTML for each in registry.fixed_resources())
    extensions: Json = {"extensions": {UI_EXTENSION: {}}} if has_ui else {}
    return filter_by_revision({**CAPABILITIES, **extensions}, revision)


def server_info(exchange: Exchange, revision: str) -> Json:
    named = {name: conf.server(name) for name in ("name", "title", "version", "description")}
    known = {name: value for name, value in named.items() if value}
    implementation = {**known, "websiteUrl": exchange.base_url}
    return filter_by_revision(implementation, revision, INTRODUCED_OF_IMPLEMENTATION)


# --- Tools ----------------------------------------------------------------------------------------


def list_tools(exchange: Exchange, revision: str, params: Json) -> Json:
    tools = [_tool(exchange, each) for each in registry.tools.values()]
    return _listed("tools", tools, revision, params)


def _tool(exchange: Exchange, tool: Tool) -> Json:
    members = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": _with_examples(exchange, tool.arguments.schema()),
        "outputSchema": tool.output_schema,
        "annotations": tool.annotations,
        "_meta": {"ui": {"resourceUri": tool.ui_resource}} if tool.ui_resource else None,
    }
    return {name: value for name, value in members.items() if value is not None}


def _with_examples(exchange: Exchange, schema: Json) -> Json:
    """Add examples to the arguments that have one.

    The descriptions repeat the examples because some clients drop the member `examples`.
    """
    properties = dict(schema["properties"])
    for name, described in properties.items():
        find = registry.examples.get(name)
        if find and (example := find(exchange.context({}))):
            words = f"{described.get('description', '')} For example: {example}.".strip()
            properties[name] = {**described, "description": words, "examples": [example]}
    return {**schema, "properties": properties}


def call_tool(exchange: Exchange, revision: str, params: Json) -> Json:
    """Call a tool. Refusals are results with `isError`, so that the model can react to them."""
    tool, context = _named("tool", registry.tools, params), exchange.context(params)
    try:
        _check_permission(exchange, tool, ToolError)
        values = tool.arguments.validate(_object_member(params, "arguments"))
        members = _result(tool, tool.run(context, **values))
    except (InvalidArguments, ToolError) as refusal:
        return {"content": [{"type": "text", "text": str(refusal)}], "isError": True}
    return filter_by_revision(members, revision)


def _result(tool: Tool, found: Any) -> Json:
    """Return the members of a result: text, and structured content if it is more than a text."""
    if isinstance(found, str) and tool.output_schema is None:
        return {"content": [{"type": "text", "text": found}], "isError": False}
    try:
        is_text = isinstance(found, JsonText)
        text = found.text if is_text else dumps(found, with_any_keys=True).decode()
    except NoJsonForm as error:
        logger.error("The result of the MCP tool %s has no form in JSON: %s", tool.name, error)
        raise ToolError(f"The result of {tool.name} has no form in JSON: {error}.") from error
    if tool.is_wrapped or not text.lstrip().startswith("{"):
        text = f'{{"result":{text}}}'
    content = [{"type": "text", "text": text}]
    return {"content": content, "structuredContent": JsonText(text), "isError": False}


def _check_permission(
    exchange: Exchange, declared: Declared, refusal: Callable[[str], Exception]
) -> None:
    """Raise `refusal` without permission, or `SignInRequired` if signing in could give it."""
    request = exchange.request
    if declared.permission is None or declared.permission(request):
        return
    is_signed_in = getattr(getattr(request, "user", None), "is_authenticated", False)
    kind = SignInRequired if conf.get("MCP_OAUTH") and not is_signed_in else refusal
    raise kind(f"You may not use {declared.name}.")


# --- Resources ------------------------------------------------------------------------------------


def list_resources(exchange: Exchange, revision: str, params: Json) -> Json:
    resources = [_resource(exchange, "uri", each) for each in registry.fixed_resources()]
    return _listed("resources", resources, revision, params)


def list_templates(exchange: Exchange, revision: str, params: Json) -> Json:
    templates = [_resource(exchange, "uriTemplate", each) for each in registry.templates()]
    return _listed("resourceTemplates", templates, revision, params)


def _resource(exchange: Exchange, member: str, resource: Resource) -> Json:
    optional = {"_meta": resource.meta, "size": resource.size() if resource.size else None}
    return {
        member: resource.absolute_uri(exchange.base_url),
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mimeType": resource.media_type,
        **{name: value for name, value in optional.items() if value is not None},
    }


def read_resource(exchange: Exchange, revision: str, params: Json) -> Json:
    uri = text_member(params, "uri")
    contents = next(filter(None, _contents(exchange, uri, params)), None)
    if contents is None:
        code = RESOURCE_NOT_FOUND if revision < MODERN else INVALID_PARAMS
        quoted = quote_for_message(uri)
        message = f"There is no resource {quoted}; resources/list names those there are."
        raise RpcError(code, message, data={"uri": truncate(uri)})
    return {"contents": [_content(uri, each, revision) for each in contents]}


def _contents(exchange: Exchange, uri: str, params: Json) -> Iterable[Sequence[Content] | None]:
    """Yield the contents of each resource that matches the URI, None for a missing one."""
    for resource in registry.resources.values():
        variable = resource.match(uri, exchange.base_url)
        if variable is not None:
            _check_permission(exchange, resource, invalid_params)
            found = resource.run(exchange.context(params), **variable)
            is_text = isinstance(found, str)
            yield [Content(resource.media_type, found, resource.meta)] if is_text else found


def _content(uri: str, content: Content, revision: str) -> Json:
    meta = {} if content.meta is None else {"_meta": content.meta}
    members = {"uri": uri, "mimeType": content.media_type, "text": content.text, **meta}
    return filter_by_revision(members, revision)


# --- Prompts and completions ----------------------------------------------------------------------


def list_prompts(exchange: Exchange, revision: str, params: Json) -> Json:
    prompts = [
        {
            "name": prompt.name,
            "title": prompt.title,
            "description": prompt.description,
            "arguments": [_argument(each, revision) for each in prompt.arguments.listed()],
        }
        for prompt in registry.prompts.values()
    ]
    return _listed("prompts", prompts, revision, params)


def _argument(argument: Argument, revision: str) -> Json:
    members = {
        "name": argument.name,
        "title": argument.name.replace("_", " ").capitalize(),
        "description": argument.description,
        "required": argument.required,
    }
    return filter_by_revision(members, revision)


def get_prompt(exchange: Exchange, revision: str, params: Json) -> Json:
    prompt = _named("prompt", registry.prompts, params)
    _check_permission(exchange, prompt, invalid_params)
    try:
        values = prompt.arguments.validate(_object_member(params, "arguments"))
        text = prompt.run(exchange.context(params), **values)
    except (InvalidArguments, PromptError) as refusal:
        raise invalid_params(str(refusal)) from None
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": prompt.description, "messages": [message]}


def complete(exchange: Exchange, revision: str, params: Json) -> Json:
    """Complete an argument with at most 100 values, the protocol's limit, and their number."""
    known = _completable(exchange, _object_member(params, "ref"))
    argument = _object_member(params, "argument")
    name = text_member(argument, "name")
    value = text_member(argument, "value")
    if name not in known:
        raise _unknown("argument", name, known)
    complete_argument = registry.completions.get(name)
    values = complete_argument(exchange.context({}), value) if complete_argument else []
    shown, total = list(values[:MAX_COMPLETIONS]), len(values)
    return {"completion": {"values": shown, "total": total, "hasMore": total > len(shown)}}


def _completable(exchange: Exchange, ref: Json) -> Sequence[str]:
    """Return the arguments of the prompt or resource template in `ref`."""
    kind = ref.get("type")
    if kind == "ref/prompt":
        prompt = _named("prompt", registry.prompts, ref)
        return [each.name for each in prompt.arguments.listed()]
    if kind == "ref/resource":
        templates = {each.absolute_uri(exchange.base_url): each for each in registry.templates()}
        return [str(_named("resource template", templates, ref, member="uri").variable)]
    raise invalid_params("ref.type must be ref/prompt or ref/resource.")


METHODS: Mapping[str, Method] = {
    "tools/list": list_tools,
    "tools/call": call_tool,
    "resources/list": list_resources,
    "resources/templates/list": list_templates,
    "resources/read": read_resource,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
    "completion/complete": complete,
}


def find(known: Mapping[str, Method], name: str) -> Method:
    if name not in known:
        raise RpcError(METHOD_NOT_FOUND, f"There is no method {quote_for_message(name)}.")
    return known[name]


# --- Parameters -----------------------------------------------------------------------------------


def text_member(params: Json, name: str) -> str:
    """Return a required member that is a string. Raises `RpcError`."""
    value = params.get(name)
    if not isinstance(value, str):
        raise invalid_params(f"{name} must be given, as a string.")
    return value


def _object_member(params: Json, name: str) -> Json:
    """Return an optional member that is an object; some clients send null or "" for none."""
    value = params.get(name)
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise invalid_params(f"{name} must be an object.")
    return value


def _named(kind: str, known: Mapping[str, Item], params: Json, *, member: str = "name") -> Item:
    """Return the item that a member of the parameters names. Raises `RpcError`."""
    name = text_member(params, member)
    if name not in known:
        raise _unknown(kind, name, known)
    return known[name]


def _unknown(kind: str, name: str, known: Iterable[str]) -> RpcError:
    names = ", ".join(known)
    return invalid_params(f"There is no {kind} {quote_for_message(name)}; there is: {names}.")


def _listed(kind: str, items: Iterable[Json], revision: str, params: Json) -> Json:
    """Return the whole list. Answers never contain a cursor, so a request must not either."""
    if params.get("cursor") not in (None, ""):
        raise invalid_params("Lists have one page only; leave cursor out.")
    return {kind: [filter_by_revision(item, revision) for item in items]}
