"""Pure: the methods that both eras of the protocol share, trimmed to what a revision knows."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from mcp_server.jsonrpc import INVALID_PARAMS, Json, RpcError, quote_for_message, truncate
from mcp_server.registry import (
    Argument,
    JsonText,
    Prompt,
    Resource,
    ServerDefinition,
    Template,
    ToolError,
)

Method = Callable[[ServerDefinition, str, Json], Json]

MODERN = "2026-07-28"  # The first revision without a handshake.
RESOURCE_NOT_FOUND = -32002  # Of handshake revisions; later ones have -32602 for it.
MAX_COMPLETIONS = 100

CAPABILITIES: Json = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}

# The revision that introduced a member; those not named here were always there.
INTRODUCED: Mapping[str, str] = {
    "annotations": "2025-03-26",
    "completions": "2025-03-26",
    "title": "2025-06-18",
    "outputSchema": "2025-06-18",
    "structuredContent": "2025-06-18",
}
# Members of an Implementation (`serverInfo`), where they are younger than elsewhere.
INTRODUCED_OF_IMPLEMENTATION: Mapping[str, str] = {
    "title": "2025-06-18",
    "description": "2025-11-25",
    "icons": "2025-11-25",
    "websiteUrl": "2025-11-25",
}

READ_ONLY: Json = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


def trimmed(members: Json, revision: str, introduced: Mapping[str, str] = INTRODUCED) -> Json:
    """The members that the revision knows. Revisions are dates, and compare as texts."""
    if revision >= MODERN:
        return members
    return {key: value for key, value in members.items() if introduced.get(key, "") <= revision}


def server_info(offer: ServerDefinition, revision: str) -> Json:
    return trimmed(offer.implementation, revision, INTRODUCED_OF_IMPLEMENTATION)


# --- Tools ----------------------------------------------------------------------------------------


def list_tools(offer: ServerDefinition, revision: str, params: Json) -> Json:
    examples = offer.examples()
    tools = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": _with_examples(tool.input_schema, examples),
            "outputSchema": tool.output_schema,
            "annotations": READ_ONLY,
        }
        for tool in offer.tools.values()
    ]
    return _listed("tools", tools, revision, params)


def _with_examples(schema: Json, examples: Mapping[str, str]) -> Json:
    """The schema with examples of the arguments that take a name.

    The descriptions have them too, since some makers' converters drop the member.
    """
    properties = dict(schema["properties"])
    for name in properties.keys() & examples.keys():
        described = f"{properties[name]['description']} For example: {examples[name]}."
        quote_for_message = {"description": described, "examples": [examples[name]]}
        properties[name] = {**properties[name], **quote_for_message}
    return {**schema, "properties": properties}


def call_tool(offer: ServerDefinition, revision: str, params: Json) -> Json:
    """The tool's answer; what it cannot answer is a result too, for the model to learn from."""
    name = text_member(params, "name")
    tool = offer.tools.get(name)
    if tool is None:
        raise _unknown("tool", name, offer.tools)
    try:
        text = tool.run(_object_member(params, "arguments"))
    except ToolError as refusal:
        return {"content": [{"type": "text", "text": str(refusal)}], "isError": True}
    answer = {
        "content": [{"type": "text", "text": text}],
        "structuredContent": JsonText(text),
        "isError": False,
    }
    return trimmed(answer, revision)


# --- Resources ------------------------------------------------------------------------------------


def list_resources(offer: ServerDefinition, revision: str, params: Json) -> Json:
    resources = [
        {"uri": each.uri, **_words(each), **({} if size is None else {"size": size})}
        for each in offer.resources
        for size in [offer.size(each.uri)]
    ]
    return _listed("resources", resources, revision, params)


def list_templates(offer: ServerDefinition, revision: str, params: Json) -> Json:
    templates = [{"uriTemplate": each.uri, **_words(each)} for each in offer.templates]
    return _listed("resourceTemplates", templates, revision, params)


def _words(resource: Resource) -> Json:
    return {
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mimeType": resource.media_type,
    }


def read_resource(offer: ServerDefinition, revision: str, params: Json) -> Json:
    uri = text_member(params, "uri")
    contents = offer.read(uri)
    if contents is None:
        code = RESOURCE_NOT_FOUND if revision < MODERN else INVALID_PARAMS
        message = (
            f"There is no resource {quote_for_message(uri)}; resources/list names those there are."
        )
        raise RpcError(code, message, data={"uri": truncate(uri)})
    return {
        "contents": [
            {"uri": uri, "mimeType": each.media_type, "text": each.text} for each in contents
        ]
    }


# --- Prompts and completions ----------------------------------------------------------------------


def list_prompts(offer: ServerDefinition, revision: str, params: Json) -> Json:
    prompts = [
        {
            "name": prompt.name,
            "title": prompt.title,
            "description": prompt.description,
            "arguments": [_described(each, revision) for each in prompt.arguments],
        }
        for prompt in offer.prompts.values()
    ]
    return _listed("prompts", prompts, revision, params)


def _described(argument: Argument, revision: str) -> Json:
    members = {
        "name": argument.name,
        "title": argument.title,
        "description": argument.description,
        "required": argument.required,
    }
    return trimmed(members, revision)


def get_prompt(offer: ServerDefinition, revision: str, params: Json) -> Json:
    prompt = _prompt(offer, text_member(params, "name"))
    try:
        text = prompt.run(_object_member(params, "arguments"))
    except ToolError as refusal:
        raise RpcError(INVALID_PARAMS, str(refusal)) from None
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": prompt.description, "messages": [message]}


def complete(offer: ServerDefinition, revision: str, params: Json) -> Json:
    """At most 100 values, as the protocol allows, and how many there are."""
    known = _completable(offer, _object_member(params, "ref"))
    argument = _object_member(params, "argument")
    name = text_member(argument, "name")
    value = text_member(argument, "value")
    if name not in known:
        raise _unknown("argument", name, known)
    values = offer.complete(name, value)
    completion = {
        "values": list(values[:MAX_COMPLETIONS]),
        "total": len(values),
        "hasMore": len(values) > MAX_COMPLETIONS,
    }
    return {"completion": completion}


def _completable(offer: ServerDefinition, ref: Json) -> Sequence[str]:
    """The names of the arguments of what `ref` names."""
    kind = ref.get("type")
    if kind == "ref/prompt":
        return [each.name for each in _prompt(offer, text_member(ref, "name")).arguments]
    if kind == "ref/resource":
        return [_template(offer, text_member(ref, "uri")).variable]
    raise RpcError(INVALID_PARAMS, "ref.type must be ref/prompt or ref/resource.")


def _prompt(offer: ServerDefinition, name: str) -> Prompt:
    prompt = offer.prompts.get(name)
    if prompt is None:
        raise _unknown("prompt", name, offer.prompts)
    return prompt


def _template(offer: ServerDefinition, uri: str) -> Template:
    for template in offer.templates:
        if template.uri == uri:
            return template
    raise _unknown("resource template", uri, [template.uri for template in offer.templates])


# --- Both eras ------------------------------------------------------------------------------------

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


# --- Parameters -----------------------------------------------------------------------------------


def text_member(params: Json, name: str) -> str:
    """A member that must be there and be a text. Raises `RpcError`."""
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"{name} must be given, as a string.")
    return value


def _object_member(params: Json, name: str) -> Json:
    """A member that must be an object where it is there; clients send null or "" for nothing."""
    value = params.get(name)
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise RpcError(INVALID_PARAMS, f"{name} must be an object.")
    return value


def _unknown(kind: str, name: str, known: Iterable[str]) -> RpcError:
    names = ", ".join(known)
    return RpcError(
        INVALID_PARAMS, f"There is no {kind} {quote_for_message(name)}; there is: {names}."
    )


def _listed(kind: str, items: Iterable[Json], revision: str, params: Json) -> Json:
    """The whole list: it fits on one page, so no answer ever gave a cursor."""
    if params.get("cursor") not in (None, ""):
        raise RpcError(INVALID_PARAMS, "Lists are given whole; leave cursor out.")
    return {kind: [trimmed(item, revision) for item in items]}
