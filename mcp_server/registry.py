"""Registry of tools, resources, prompts and completions, which decorators declare."""

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypedDict, TypeVar, Unpack, overload

from asgiref.sync import async_to_sync
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

from mcp_server.arguments import Arguments, SignatureArguments
from mcp_server.context import Context
from mcp_server.encoding import JsonText
from mcp_server.jsonrpc import Json
from mcp_server.schemas import converter, hints_of

Function = TypeVar("Function", bound=Callable[..., Any])


class Decorator(Protocol):
    def __call__(self, run: Function, /) -> Function: ...


Permission = Callable[[HttpRequest], bool]


class Description(TypedDict, total=False):
    """Options of all declarations. Name and description default to those of the function."""

    name: str | None
    title: str | None
    description: str | None
    permission: Permission | None


class PromptOptions(Description, total=False):
    """Options of `@prompt`."""

    arguments: Arguments | None


class ToolOptions(PromptOptions, total=False):
    """Options of `@tool`."""

    output_schema: Json | None
    annotations: Json | None
    ui_resource: str | None


JSON = "application/json"
APP_HTML = "text/html;profile=mcp-app"  # Media type of a UI resource (MCP Apps, SEP-1865).

# Annotations of a tool that only reads.
READ_ONLY: Json = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}

_CSP_MEMBERS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
_VARIABLE = re.compile(r"\{(\w+)\}")


class ToolError(Exception):
    """A call that a tool refuses; the message advises the model."""


class PromptError(Exception):
    """Arguments that a prompt refuses; the message advises the user."""


class SignInRequired(Exception):
    """An anonymous request that needs a user."""


class ServiceUnavailable(Exception):
    """Data that is temporarily unavailable; the client receives status 503."""

    def __init__(self, message: str = "", retry_after_seconds: int = 5) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class Content(NamedTuple):
    """One of the texts of a resource."""

    media_type: str
    text: str
    meta: Json | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A declared function. `run` takes the call's context, and the arguments by name."""

    name: str
    title: str
    description: str
    run: Callable[..., Any]
    takes_context: bool
    permission: Permission | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Declared):
    """A tool. `run` returns a text, `JsonText` or an encodable value, or raises `ToolError`."""

    arguments: Arguments
    output_schema: Json | None = None
    is_wrapped: bool = False  # Whether the schema describes an object that wraps the result.
    annotations: Json | None = None
    ui_resource: str | None = None  # URI of the UI resource that shows the results.


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Declared):
    """A prompt. `run` returns its text, or raises `PromptError`."""

    arguments: Arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(Declared):
    """A resource. `run` returns a text, a list of contents, or None if it does not exist.

    A `uri` that begins with a slash is a path of the site. A `uri` with a variable in braces is a
    template (RFC 6570), and `run` takes the variable.
    """

    uri: str
    media_type: str
    size: Callable[[], int | None] | None = None
    meta: Json | None = None

    @property
    def variable(self) -> str | None:
        found = _VARIABLE.search(self.uri)
        return found[1] if found else None

    def absolute_uri(self, base_url: str) -> str:
        return f"{base_url}{self.uri}" if self.uri.startswith("/") else self.uri

    def match(self, uri: str, base_url: str) -> dict[str, str] | None:
        """Return the template's variable in `uri`, None if `uri` is not of this resource."""
        own = self.absolute_uri(base_url)
        if self.variable is None:
            return {} if uri == own else None
        begin, end = own.split(f"{{{self.variable}}}")
        value = uri.removeprefix(begin).removesuffix(end)
        is_match = f"{begin}{value}{end}" == uri and value and "/" not in value
        return {self.variable: value} if is_match else None


class Registry:
    """Declared tools, prompts, resources, completions and examples in order."""

    def __init__(self) -> None:
        self.tools: dict[str, Tool] = {}
        self.prompts: dict[str, Prompt] = {}
        self.resources: dict[str, Resource] = {}
        self.completions: dict[str, Callable[[Context, str], Sequence[str]]] = {}
        self.examples: dict[str, Callable[[Context], str | None]] = {}

    @overload
    def tool(self, run: Function, /) -> Function: ...
    @overload
    def tool(self, run: None = None, /, **options: Unpack[ToolOptions]) -> Decorator: ...
    def tool(self, run: Any = None, /, **options: Any) -> Any:
        """Declare a function as a tool.

        `output_schema` describes the returned object; it defaults to the schema of the type hint.
        `ui_resource` is the URI of the UI resource in which a host shows the results.
        """

        def members(run: Callable[..., Any]) -> dict[str, Any]:
            given = options.get("output_schema")
            schema, is_wrapped = (given, False) if given is not None else _result_schema(run)
            return {
                "arguments": options.get("arguments") or _arguments(run),
                "output_schema": schema,
                "is_wrapped": is_wrapped,
                "annotations": options.get("annotations"),
                "ui_resource": options.get("ui_resource"),
            }

        decorate = _decorator(Tool, self.tools, members, options)
        return decorate if run is None else decorate(run)

    @overload
    def prompt(self, run: Function, /) -> Function: ...
    @overload
    def prompt(self, run: None = None, /, **options: Unpack[PromptOptions]) -> Decorator: ...
    def prompt(self, run: Any = None, /, **options: Any) -> Any:
        """Declare a function as a prompt."""

        def members(run: Callable[..., Any]) -> dict[str, Any]:
            return {"arguments": options.get("arguments") or _arguments(run)}

        decorate = _decorator(Prompt, self.prompts, members, options)
        return decorate if run is None else decorate(run)

    def resource(
        self,
        uri: str,
        *,
        media_type: str = JSON,
        size: Callable[[], int | None] | None = None,
        meta: Json | None = None,
        **described: Unpack[Description],
    ) -> Decorator:
        """Declare a function as the resource at `uri`, or as a template if `uri` has a variable.

        `size` returns the length of the text in bytes, None while it is unknown.
        """
        if not isinstance(uri, str):
            raise ImproperlyConfigured(f"@resource needs the URI of {_origin(uri)} in parentheses.")

        members = {"uri": uri, "media_type": media_type, "size": size, "meta": meta}
        return _decorator(Resource, self.resources, lambda _: members, described, key=uri)

    def ui_resource(
        self,
        uri: str,
        *,
        csp: Mapping[str, Sequence[str]] | None = None,
        prefers_border: bool = True,
        **described: Unpack[Description],
    ) -> Decorator:
        """Declare a function as the UI resource at `uri`, which begins with `ui://` (MCP Apps).

        The function returns an HTML document. Hosts show it in a sandboxed frame beside the results
        of tools with this `ui_resource`. `csp` lists the origins that the document may contact by
        the members of `McpUiResourceCsp`; the default is none.
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

    def fixed_resources(self) -> list[Resource]:
        return [each for each in self.resources.values() if each.variable is None]

    def templates(self) -> list[Resource]:
        return [each for each in self.resources.values() if each.variable is not None]

    def completion(self, *arguments: str) -> Decorator:
        """Declare a function that completes the arguments with these names."""
        return _registered("completion", self.completions, arguments)

    def example(self, *arguments: str) -> Decorator:
        """Declare a function that returns an example for arguments with these names."""
        return _registered("example", self.examples, arguments)


def _decorator(
    kind: type[Declared],
    declared: dict[str, Any],
    members: Callable[[Callable[..., Any]], dict[str, Any]],
    options: Mapping[str, Any],
    key: str = "",
) -> Decorator:
    """Return a decorator that declares a function. `members` returns the members of its kind."""

    def decorate(run: Function) -> Function:
        name, word = options.get("name") or run.__name__, kind.__name__.lower()
        title = name.replace("_", " ").replace("-", " ").capitalize()
        try:
            found = kind(
                name=name,
                title=options.get("title") or title,
                description=options.get("description") or inspect.getdoc(run) or "",
                permission=options.get("permission"),
                run=_with_context(run),
                takes_context=_context_parameter(run) is not None,
                **members(run),
            )
        except TypeError as error:
            message = f"The {word} {name} cannot be declared: {_origin(run)} {error}."
            raise ImproperlyConfigured(message) from None
        _add(word, declared, key or name, found)
        return run

    return decorate


def _registered(kind: str, functions: dict[str, Any], names: Sequence[Any]) -> Decorator:
    if not names or not all(isinstance(name, str) for name in names):
        raise ImproperlyConfigured(f"@{kind} needs the names of arguments in parentheses.")

    def decorate(run: Function) -> Function:
        for name in names:
            _add(kind, functions, name, _with_context(run))
        return run

    return decorate


def _add(kind: str, declared: dict[str, Any], key: str, found: Any) -> None:
    """Add a declaration. Raises `ImproperlyConfigured` if another function has declared the key."""
    both = (declared.get(key, found), found)
    known, run = (_function(getattr(each, "run", each)) for each in both)
    # A module whose first import failed is imported again, with new globals.
    is_reimported = _origin(known) == _origin(run) and known.__globals__ is not run.__globals__
    if key in declared and not is_reimported:
        raise ImproperlyConfigured(
            f"There are two declarations of the {kind} {key}: {_origin(known)} and {_origin(run)}."
        )
    declared[key] = found


def _function(run: Any) -> Any:
    """Return the function inside decorators and `functools.partial`."""
    run = inspect.unwrap(run)
    return getattr(run, "func", run)


def _origin(run: Any) -> str:
    return f"{_function(run).__module__}.{_function(run).__qualname__}"


def _with_context(run: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function in a synchronous one that takes the context first."""
    parameter = _context_parameter(run)
    called = async_to_sync(run) if inspect.iscoroutinefunction(run) else run

    @functools.wraps(run)
    def call(context: Context, *args: Any, **kwargs: Any) -> Any:
        return called(*args, **(kwargs if parameter is None else {**kwargs, parameter: context}))

    return call


def _context_parameter(run: Callable[..., Any]) -> str | None:
    hints = hints_of(_function(run))
    return next((name for name, hint in hints.items() if hint is Context), None)


def _arguments(run: Callable[..., Any]) -> Arguments:
    return SignatureArguments(run, excluded=_context_parameter(run))


def _result_schema(run: Callable[..., Any]) -> tuple[Json | None, bool]:
    """Return the output schema of a function by its type hint, and whether it wraps the result.

    The schema is None for a text, which is no structured content, and without a type hint.
    """
    hint = hints_of(_function(run)).get("return", Any)
    if hint in (Any, object, str, JsonText):
        return None, False
    schema = converter(hint).schema
    if schema.get("type") == "object":
        return schema, False
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}, True


registry = Registry()
tool = registry.tool
prompt = registry.prompt
resource = registry.resource
ui_resource = registry.ui_resource
completion = registry.completion
example = registry.example
