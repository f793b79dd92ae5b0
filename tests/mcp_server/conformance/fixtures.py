"""The tools, prompts and resources that the conformance suite names.

fixtures.yml holds the answer of each, and the rounds of questions to the client that come first
(2026-07-28, multi round-trip requests).
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import partial
from pathlib import Path

import yaml
from django.core.signing import BadSignature, Signer

from mcp_server.jsonrpc import INVALID_PARAMS, Json, RpcError
from mcp_server.stateless import CAPABILITIES_KEY, LOG_LEVEL_KEY

Fixture = Callable[[Json], Json]

MISSING_CLIENT_CAPABILITY = -32021

# Notifications that precede the response to the current request.
said: ContextVar[list[Json]] = ContextVar("said")


def say(method: str, **params: object) -> None:
    said.get().append({"jsonrpc": "2.0", "method": method, "params": params})


def text(words: str) -> Json:
    return {"type": "text", "text": words}


# --- Notifications --------------------------------------------------------------------------------


def with_progress(params: Json) -> Json:
    token = params.get("_meta", {}).get("progressToken")
    for progress in (0, 50, 100) if token is not None else ():
        say("notifications/progress", progressToken=token, progress=progress, total=100)
    return {"content": [text("Done")]}


def with_log(params: Json, *, needs_level: bool) -> Json:
    """Log if the request names a level, as the stateless revision requires."""
    if not needs_level or LOG_LEVEL_KEY in params.get("_meta", {}):
        for words in ("started", "processing data", "completed"):
            say("notifications/message", level="info", data=f"Tool execution {words}")
    return {"content": [text("Done")]}


# --- Answers, and questions before them -----------------------------------------------------------


def answered(fixture: Json, params: Json) -> Json:
    """Return the answer, or the questions of the round that the client has reached."""
    rounds: list[Json] = fixture.get("rounds", [])
    reached = round_of(params)
    if reached < len(rounds) and all(
        isinstance(given(params).get(key), dict) for key in rounds[reached]
    ):
        reached += 1
    if reached == len(rounds):
        answer: Json = fixture["answer"]
        return answer
    requested = askable(rounds[reached], params)
    question: Json = {"resultType": "input_required", "inputRequests": requested}
    state = {"requestState": Signer().sign(str(reached))} if "keeps_state" in fixture else {}
    return question | state


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
    """Return questions that the client can answer, or an error naming missing capabilities."""
    needs = {key: question["method"].partition("/")[0] for key, question in questions.items()}
    declared = params["_meta"][CAPABILITIES_KEY]
    found = {key: questions[key] for key, need in needs.items() if need in declared}
    if not found:
        missing = {need: {} for need in needs.values()}
        message = "The client has not declared what this needs."
        raise RpcError(MISSING_CLIENT_CAPABILITY, message, data={"requiredCapabilities": missing})
    return found


# --- The tables -----------------------------------------------------------------------------------


def with_arguments(params: Json) -> Json:
    one, two = (params["arguments"][name] for name in ("arg1", "arg2"))
    words = f"Prompt with arguments: arg1='{one}', arg2='{two}'"
    return {"messages": [{"role": "user", "content": text(words)}]}


def with_embedded_resource(params: Json) -> Json:
    uri, words = params["arguments"]["resourceUri"], "Embedded resource content."
    resource = {"uri": uri, "mimeType": "text/plain", "text": words}
    blocks = (
        {"type": "resource", "resource": resource},
        text("Please process the embedded resource above."),
    )
    return {"messages": [{"role": "user", "content": block} for block in blocks]}


TABLES = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text("utf-8"))
STORED = {
    kind: {name: partial(answered, fixture) for name, fixture in TABLES[kind].items()}
    for kind in ("tools", "prompts", "resources")
}
TOOLS: Mapping[str, Fixture] = STORED["tools"] | {
    "test_tool_with_progress": with_progress,
    "test_tool_with_logging": partial(with_log, needs_level=False),
    "test_logging_tool": partial(with_log, needs_level=True),
}
PROMPTS: Mapping[str, Fixture] = STORED["prompts"] | {
    "test_prompt_with_arguments": with_arguments,
    "test_prompt_with_embedded_resource": with_embedded_resource,
}
RESOURCES: Mapping[str, Fixture] = STORED["resources"]
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
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


def listed_resources() -> list[Json]:
    return [{"uri": uri, "name": uri.rpartition("/")[2]} for uri in RESOURCES]
