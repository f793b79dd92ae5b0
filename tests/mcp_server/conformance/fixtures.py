"""The tools, prompts and resources that the conformance suite asks for by name."""

from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from functools import partial

from django.core.signing import BadSignature, Signer

from mcp_server.jsonrpc import INVALID_PARAMS, Json, RpcError
from mcp_server.stateless import CAPABILITIES_KEY, LOG_LEVEL_KEY

Fixture = Callable[[Json], Json]

MISSING_CLIENT_CAPABILITY = -32021

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJg"
    "gg=="
)
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="

# Notifications that precede the answer to the request at hand.
said: ContextVar[list[Json]] = ContextVar("said")


def say(method: str, **params: object) -> None:
    said.get().append({"jsonrpc": "2.0", "method": method, "params": params})


# --- Contents -------------------------------------------------------------------------------------


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def embedded(uri: str, words: str, media_type: str = "text/plain") -> Json:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": media_type, "text": words}}


IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}


def answering(*blocks: Json) -> Fixture:
    return lambda params: {"content": list(blocks)}


def failing(params: Json) -> Json:
    words = "This tool intentionally returns an error for testing"
    return {"content": [text(words)], "isError": True}


# --- Telling on the way ---------------------------------------------------------------------------


def with_progress(params: Json) -> Json:
    token = params.get("_meta", {}).get("progressToken")
    for progress in (0, 50, 100) if token is not None else ():
        say("notifications/progress", progressToken=token, progress=progress, total=100)
    return {"content": [text("Done")]}


def with_log(params: Json, *, needs_level: bool) -> Json:
    """The stateless revision logs for a request alone that names a level."""
    if not needs_level or LOG_LEVEL_KEY in params.get("_meta", {}):
        for words in ("started", "processing data", "completed"):
            say("notifications/message", level="info", data=f"Tool execution {words}")
    return {"content": [text("Done")]}


# --- Asking back (2026-07-28, multi round-trip requests) ------------------------------------------


def form(message: str, **properties: str) -> Json:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return {
        "method": "elicitation/create",
        "params": {"message": message, "requestedSchema": schema},
    }


def sampling(words: str) -> Json:
    messages = [{"role": "user", "content": text(words)}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": 100}}


ROOTS: Json = {"method": "roots/list", "params": {}}
NAME = {"user_name": form("What is your name?", name="string")}
CONFIRM = {"confirm": form("Please confirm", ok="boolean")}
COLOUR = {"step2": form("Step 2: What is your favorite color?", color="string")}
CAPITAL = {"capital_question": sampling("What is the capital of France?")}


def asking(*rounds: Json, answer: Json, keeps_state: bool = False) -> Fixture:
    """A fixture that asks the questions of each round first."""

    def run(params: Json) -> Json:
        reached = round_of(params)
        if all(isinstance(given(params).get(key), dict) for key in rounds[reached]):
            reached += 1
        if reached == len(rounds):
            return answer
        question: Json = {
            "resultType": "input_required",
            "inputRequests": askable(rounds[reached], params),
        }
        return question | ({"requestState": Signer().sign(str(reached))} if keeps_state else {})

    return run


def given(params: Json) -> Json:
    responses = params.get("inputResponses", {})
    if not isinstance(responses, dict):
        raise RpcError(INVALID_PARAMS, "inputResponses must be an object.")
    return responses


def round_of(params: Json) -> int:
    if "requestState" not in params:
        return 0
    try:
        return int(Signer().unsign(params["requestState"]))
    except BadSignature:
        raise RpcError(INVALID_PARAMS, "requestState is not the one that was given.") from None


def askable(questions: Json, params: Json) -> Json:
    """The questions that the client can answer; an error that names what it would have to be."""
    needs = {key: question["method"].partition("/")[0] for key, question in questions.items()}
    declared = params["_meta"][CAPABILITIES_KEY]
    found = {key: questions[key] for key, need in needs.items() if need in declared}
    if not found:
        missing = {need: {} for need in needs.values()}
        message = "The client has not declared what this needs."
        raise RpcError(MISSING_CLIENT_CAPABILITY, message, data={"requiredCapabilities": missing})
    return found


# --- The tables -----------------------------------------------------------------------------------

DONE: Json = {"content": [text("state-ok")]}

TOOLS: Mapping[str, Fixture] = {
    "test_simple_text": answering(text("This is a simple text response for testing.")),
    "test_image_content": answering(IMAGE),
    "test_audio_content": answering(AUDIO),
    "test_embedded_resource": answering(
        embedded("test://embedded-resource", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": answering(
        text("Multiple content types test:"),
        IMAGE,
        embedded(
            "test://mixed-content-resource", '{"test":"data","value":123}', "application/json"
        ),
    ),
    "test_error_handling": failing,
    "test_tool_with_progress": with_progress,
    "test_tool_with_logging": partial(with_log, needs_level=False),
    "test_logging_tool": partial(with_log, needs_level=True),
    "test_missing_capability": asking(CAPITAL, answer=DONE),
    "test_streaming_elicitation": asking(NAME, answer=DONE),
    "test_input_required_result_elicitation": asking(NAME, answer=DONE),
    "test_input_required_result_sampling": asking(CAPITAL, answer=DONE),
    "test_input_required_result_list_roots": asking({"client_roots": ROOTS}, answer=DONE),
    "test_input_required_result_request_state": asking(CONFIRM, answer=DONE, keeps_state=True),
    "test_input_required_result_tampered_state": asking(CONFIRM, answer=DONE, keeps_state=True),
    "test_input_required_result_multiple_inputs": asking(
        NAME | {"greeting": sampling("Generate a greeting"), "client_roots": ROOTS},
        answer=DONE,
        keeps_state=True,
    ),
    "test_input_required_result_multi_round": asking(
        {"step1": form("Step 1: What is your name?", name="string")},
        COLOUR,
        answer=DONE,
        keeps_state=True,
    ),
    "test_input_required_result_capabilities": asking(NAME | CAPITAL, answer=DONE),
}


def prompting(*blocks: Json) -> Json:
    return {"messages": [{"role": "user", "content": block} for block in blocks]}


def with_arguments(params: Json) -> Json:
    one, two = (params["arguments"][name] for name in ("arg1", "arg2"))
    return prompting(text(f"Prompt with arguments: arg1='{one}', arg2='{two}'"))


def with_embedded_resource(params: Json) -> Json:
    resource = embedded(params["arguments"]["resourceUri"], "Embedded resource content.")
    return prompting(resource, text("Please process the embedded resource above."))


PROMPTS: Mapping[str, Fixture] = {
    "test_simple_prompt": lambda params: prompting(text("This is a simple prompt for testing.")),
    "test_prompt_with_arguments": with_arguments,
    "test_prompt_with_embedded_resource": with_embedded_resource,
    "test_prompt_with_image": lambda params: prompting(IMAGE, text("Please analyze the image.")),
    "test_input_required_result_prompt": asking(
        {"user_context": form("What context should the prompt use?", context="string")},
        answer=prompting(text("Prompt with context")),
    ),
}
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
}


def holding(uri: str, media_type: str, **body: str) -> Fixture:
    return lambda params: {"contents": [{"uri": uri, "mimeType": media_type, **body}]}


RESOURCES: Mapping[str, Fixture] = {
    each: holding(each, media_type, **body)
    for each, media_type, body in (
        ("test://static-text", "text/plain", {"text": "The content of the static text resource."}),
        ("test://static-binary", "image/png", {"blob": PIXEL}),
        ("test://watched-resource", "text/plain", {"text": "Watched resource content"}),
        ("test://template/123/data", "application/json", {"text": '{"id":"123"}'}),
    )
}


def listed_tools() -> list[Json]:
    anything = {"type": "object", "properties": {}}
    return [{"name": name, "description": name, "inputSchema": anything} for name in TOOLS]


def listed_prompts() -> list[Json]:
    return [
        {
            "name": name,
            "description": name,
            "arguments": [{"name": each, "required": True} for each in ARGUMENTS.get(name, ())],
        }
        for name in PROMPTS
    ]


def listed_resources() -> Iterable[Json]:
    return [{"uri": uri, "name": uri.rpartition("/")[2]} for uri in RESOURCES]
