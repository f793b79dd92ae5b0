"""Pure: what a server offers, in the terms of the protocol; its tables say what that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mcp_server.jsonrpc import Json


class ToolError(Exception):
    """A call that has no answer; the message is for whoever made it, and says what to do."""


class JsonText:
    """JSON that is text already, and goes into an answer as it stands."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


@dataclass(frozen=True, slots=True)
class Tool:
    """`run` takes the arguments and returns an object as JSON text, or raises `ToolError`."""

    name: str
    title: str
    description: str
    input_schema: Json
    output_schema: Json
    run: Callable[[Mapping[str, object]], str]


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    title: str
    description: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """`run` takes the arguments and returns the text to ask, or raises `ToolError`."""

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    run: Callable[[Mapping[str, object]], str]


class Content(NamedTuple):
    """A text of a resource; one may have several."""

    media_type: str
    text: str


@dataclass(frozen=True, slots=True)
class Resource:
    uri: str
    name: str
    title: str
    description: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Template(Resource):
    """Resources whose URIs differ in one variable, in braces in this one (RFC 6570)."""

    variable: str


@dataclass(frozen=True, slots=True)
class ServerDefinition:
    """Everything that both eras of the protocol serve."""

    implementation: Json
    instructions: str
    ttl_ms: int
    tools: Mapping[str, Tool]
    # Names of the installation as it is now, by the arguments that take them.
    examples: Callable[[], Mapping[str, str]]
    prompts: Mapping[str, Prompt]
    resources: Sequence[Resource]
    templates: Sequence[Template]
    # The contents of the resource at a URI; None when there is none.
    read: Callable[[str], Sequence[Content] | None]
    # The bytes of a listed resource; None when they are not known.
    size: Callable[[str], int | None]
    # The values that an argument of this name can have, of which what was typed is the beginning.
    complete: Callable[[str, str], Sequence[str]]
