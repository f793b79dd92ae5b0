"""Tools, resources, prompts and completions of this process, declared by decorators."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypedDict, TypeVar, Unpack

from mcp_server.arguments import Arguments, SignatureArguments
from mcp_server.jsonrpc import Json

Function = TypeVar("Function", bound=Callable[..., Any])


class Decorator(Protocol):
    """Registers a function and returns it as it was."""

    def __call__(self, run: Function, /) -> Function: ...


class Description(TypedDict, total=False):
    """How a declared function is described; by default by its name and docstring."""

    name: str | None
    title: str | None
    description: str | None


JSON = "application/json"
APP_HTML = "text/html;profile=mcp-app"  # Of a UI resource (MCP Apps, SEP-1865).

# Annotations of a tool that changes nothing.
READ_ONLY: Json = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}

_CSP_MEMBERS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
_VARIABLE = re.compile(r"\{(\w+)\}")


class ToolError(Exception):
    """A call that has no answer; the message tells the model what to do."""


class PromptError(Exception):
    """A prompt that cannot be made of its arguments; the message tells what to do."""


class ServiceUnavailable(Exception):
    """Data that cannot be read at the moment: the client gets a 503."""

    def __init__(self, message: str = "", retry_after_seconds: int = 5) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class JsonText:
    """JSON that is text already, and goes into an answer as it stands."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Content(NamedTuple):
    """A text of a resource, which may have several."""

    media_type: str
    text: str
    meta: Json | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """`run` returns an object, `JsonText` of one, or a text; or raises `ToolError`."""

    name: str
    title: str
    description: str
    arguments: Arguments
    run: Callable[..., Any]
    output_schema: Json | None = None
    annotations: Json | None = None
    ui_resource: str | None = None  # The URI of the one that shows its results.


@dataclass(frozen=True, slots=True)
class Prompt:
    """`run` returns the text to ask, or raises `PromptError`."""

    name: str
    title: str
    description: str
    arguments: Arguments
    run: Callable[..., str]


@dataclass(frozen=True, slots=True)
class Resource:
    """`run` returns a text, several contents, or None if there is no such resource.

    A `uri` that begins with a slash is one of the site. With a variable in braces it is a template
    (RFC 6570), and `run` takes the variable.
    """

    uri: str
    name: str
    title: str
    description: str
    media_type: str
    run: Callable[..., str | Sequence[Content] | None]
    size: Callable[[], int | None] | None = None
    meta: Json | None = None

    @property
    def variable(self) -> str | None:
        found = _VARIABLE.search(self.uri)
        return found[1] if found else None

    def absolute_uri(self, base_url: str) -> str:
        return f"{base_url}{self.uri}" if self.uri.startswith("/") else self.uri

    def read(self, uri: str, base_url: str) -> Sequence[Content] | None:
        """The contents, if this is the resource at `uri`; else None."""
        own = self.absolute_uri(base_url)
        if self.variable is None:
            found = self.run() if uri == own else None
        else:
            begin, end = own.split(f"{{{self.variable}}}")
            value = uri.removeprefix(begin).removesuffix(end)
            is_ours = f"{begin}{value}{end}" == uri and value and "/" not in value
            found = self.run(**{self.variable: value}) if is_ours else None
        return [Content(self.media_type, found, self.meta)] if isinstance(found, str) else found


class Registry:
    """Everything that the server offers, in the order of its declaration."""

    def __init__(self) -> None:
        self.tools: dict[str, Tool] = {}
        self.prompts: dict[str, Prompt] = {}
        self.resources: dict[str, Resource] = {}
        self.completions: dict[str, Callable[[str], Sequence[str]]] = {}
        self.examples: dict[str, Callable[[], str | None]] = {}

    def tool(
        self,
        *,
        arguments: Arguments | None = None,
        output_schema: Json | None = None,
        annotations: Json | None = None,
        ui_resource: str | None = None,
        **described: Unpack[Description],
    ) -> Decorator:
        """Offer a function as a tool, by default under its name and with its docstring.

        `ui_resource` is the URI of the UI resource in which a host shows its results.
        """

        def decorate(run: Function) -> Function:
            offered = Tool(
                **_described(run, **described),
                arguments=arguments or SignatureArguments(run),
                run=run,
                output_schema=output_schema,
                annotations=annotations,
                ui_resource=ui_resource,
            )
            self.tools[offered.name] = offered
            return run

        return decorate

    def prompt(
        self, *, arguments: Arguments | None = None, **described: Unpack[Description]
    ) -> Decorator:
        """Offer a function as a prompt, by default under its name and with its docstring."""

        def decorate(run: Function) -> Function:
            known = arguments or SignatureArguments(run)
            offered = Prompt(**_described(run, **described), arguments=known, run=run)
            self.prompts[offered.name] = offered
            return run

        return decorate

    def resource(
        self,
        uri: str,
        *,
        media_type: str = JSON,
        size: Callable[[], int | None] | None = None,
        meta: Json | None = None,
        **described: Unpack[Description],
    ) -> Decorator:
        """Offer a function as the resource at `uri`, or as a template if that has a variable.

        `size` returns its length in bytes, or None while that is not known.
        """

        def decorate(run: Function) -> Function:
            self.resources[uri] = Resource(
                **_described(run, **described),
                uri=uri,
                media_type=media_type,
                run=run,
                size=size,
                meta=meta,
            )
            return run

        return decorate

    def ui_resource(
        self,
        uri: str,
        *,
        csp: Mapping[str, Sequence[str]] | None = None,
        prefers_border: bool = True,
        **described: Unpack[Description],
    ) -> Decorator:
        """Offer a function as the UI resource at `uri`, which begins with `ui://` (MCP Apps).

        It returns an HTML document, which hosts show in a sandboxed frame beside the results of
        the tools that name it. `csp` lists the origins that the document may reach, by the
        members of `McpUiResourceCsp`; by default none.
        """
        if not uri.startswith("ui://"):
            raise ValueError(f"{uri} is not the URI of a UI resource: it begins with ui://.")
        domains = {member: list((csp or {}).get(member, ())) for member in _CSP_MEMBERS}
        meta = {"ui": {"csp": domains, "prefersBorder": prefers_border}}

        def decorate(run: Function) -> Function:
            def size() -> int:
                return len(run().encode())

            return self.resource(uri, media_type=APP_HTML, size=size, meta=meta, **described)(run)

        return decorate

    def completion(self, *arguments: str) -> Decorator:
        """Offer a function as the completion of arguments of these names.

        It takes what was typed and returns the values that fit it. Prompts and resource templates
        have completions.
        """
        return _registered(self.completions, arguments)

    def example(self, *arguments: str) -> Decorator:
        """Offer a function as the example of tools' arguments of these names.

        It returns a value that exists now, or None. The list of tools shows it.
        """
        return _registered(self.examples, arguments)


def _registered(functions: dict[str, Any], names: Iterable[str]) -> Decorator:
    def decorate(run: Function) -> Function:
        functions.update(dict.fromkeys(names, run))
        return run

    return decorate


def _described(
    run: Callable[..., Any],
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
) -> dict[str, str]:
    """Name, title and description, by default those of the function."""
    name = name or run.__name__
    return {
        "name": name,
        "title": title or name.replace("_", " ").replace("-", " ").capitalize(),
        "description": description or (run.__doc__ or "").strip(),
    }


registry = Registry()
tool = registry.tool
prompt = registry.prompt
resource = registry.resource
ui_resource = registry.ui_resource
completion = registry.completion
example = registry.example


@dataclass(frozen=True, slots=True)
class ServerDefinition:
    """A server as both eras of the protocol serve it: its description and its registry."""

    implementation: Json
    instructions: str
    ttl_ms: int
    base_url: str
    registry: Registry

    @property
    def resources(self) -> list[Resource]:
        return [each for each in self.registry.resources.values() if each.variable is None]

    @property
    def templates(self) -> list[Resource]:
        return [each for each in self.registry.resources.values() if each.variable is not None]

    def uri(self, resource: Resource) -> str:
        return resource.absolute_uri(self.base_url)

    def read(self, uri: str) -> Sequence[Content] | None:
        """The contents of the resource at a URI; None when there is none."""
        found = (each.read(uri, self.base_url) for each in self.registry.resources.values())
        return next((contents for contents in found if contents is not None), None)
