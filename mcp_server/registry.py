"""Tools, resources, prompts and completions of this process, declared by decorators."""

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
    """A declared function's description, by default its name and docstring, and permission."""

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


class SignInRequired(Exception):
    """A request without a user, for what its users may do."""


class ServiceUnavailable(Exception):
    """Data that cannot be read at the moment: the client gets a 503."""

    def __init__(self, message: str = "", retry_after_seconds: int = 5) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class Content(NamedTuple):
    """A text of a resource, which may have several."""

    media_type: str
    text: str
    meta: Json | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A declared function: `run` takes the context of a call, and the arguments by name."""

    name: str
    title: str
    description: str
    run: Callable[..., Any]
    takes_context: bool
    permission: Permission | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Declared):
    """`run` returns a text, `JsonText` or a value with a form in JSON; or raises `ToolError`."""

    arguments: Arguments
    output_schema: Json | None = None
    is_wrapped: bool = False  # Whether the schema is that of an object around the result.
    annotations: Json | None = None
    ui_resource: str | None = None  # The URI of the one that shows its results.


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Declared):
    """`run` returns the text to ask, or raises `PromptError`."""

    arguments: Arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(Declared):
    """`run` returns a text, several contents, or None if there is no such resource.

    A `uri` that begins with a slash is one of the site. With a variable in braces it is a template
    (RFC 6570), and `run` takes the variable.
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
        """The variable in `uri`, if that is one of this resource or template; else None."""
        own = self.absolute_uri(base_url)
        if self.variable is None:
            return {} if uri == own else None
        begin, end = own.split(f"{{{self.variable}}}")
        value = uri.removeprefix(begin).removesuffix(end)
        is_ours = f"{begin}{value}{end}" == uri and value and "/" not in value
        return {self.variable: value} if is_ours else None


class Registry:
    """Everything that the server offers, in the order of its declaration."""

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
        """Offer a function as a tool, by default under its name and with its docstring.

        `output_schema` describes the object that it returns, by default as its type hint does.
        `ui_resource` is the URI of the UI resource in which a host shows its results.
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
        """Offer a function as a prompt, by default under its name and with its docstring."""

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
        """Offer a function as the resource at `uri`, or as a template if that has a variable.

        `size` returns its length in bytes, or None while that is not known.
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

    def fixed_resources(self) -> list[Resource]:
        return [each for each in self.resources.values() if each.variable is None]

    def templates(self) -> list[Resource]:
        return [each for each in self.resources.values() if each.variable is not None]

    def completion(self, *arguments: str) -> Decorator:
        """Offer a function as the completion of arguments of these names."""
        return _registered("completion", self.completions, arguments)

    def example(self, *arguments: str) -> Decorator:
        """Offer a function as the example of tools' arguments of these names."""
        return _registered("example", self.examples, arguments)


def _decorator(
    kind: type[Declared],
    declared: dict[str, Any],
    members: Callable[[Callable[..., Any]], dict[str, Any]],
    options: Mapping[str, Any],
    key: str = "",
) -> Decorator:
    """Decorator that adds the declaration of a function, with members of its kind."""

    def decorate(run: Function) -> Function:
        name, word = options.get("name") or run.__name__, kind.__name__.lower()
        title = name.replace("_", " ").replace("-", " ").capitalize()
        try:
            found = kind(
                name=name,
                title=options.get("title") or title,
                description=options.get("description") or inspect.getdoc(run) or "",
                permission=options.get("permission"),
                run=_plain(run),
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
            _add(kind, functions, name, _plain(run))
        return run

    return decorate


def _add(kind: str, declared: dict[str, Any], key: str, found: Any) -> None:
    """Add what a function offers. Raises `ImproperlyConfigured` for a second of one name."""
    both = (declared.get(key, found), found)
    known, run = (_function(getattr(each, "run", each)) for each in both)
    # A module whose first import failed is imported again, with globals of its own.
    is_reimported = _origin(known) == _origin(run) and known.__globals__ is not run.__globals__
    if key in declared and not is_reimported:
        raise ImproperlyConfigured(
            f"There are two declarations of the {kind} {key}: {_origin(known)} and {_origin(run)}."
        )
    declared[key] = found


def _function(run: Any) -> Any:
    """The function at the bottom of decorators and `functools.partial`."""
    run = inspect.unwrap(run)
    return getattr(run, "func", run)


def _origin(run: Any) -> str:
    return f"{_function(run).__module__}.{_function(run).__qualname__}"


def _plain(run: Callable[..., Any]) -> Callable[..., Any]:
    """`run` as a function that takes a context first, and is not asynchronous."""
    parameter = _context_parameter(run)
    called = async_to_sync(run) if inspect.iscoroutinefunction(run) else run

    @functools.wraps(run)
    def call(context: Context, *args: Any, **kwargs: Any) -> Any:
        return called(*args, **(kwargs if parameter is None else {**kwargs, parameter: context}))

    return call


def _context_parameter(run: Callable[..., Any]) -> str | None:
    """The name of the parameter that takes the context."""
    hints = hints_of(_function(run))
    return next((name for name, hint in hints.items() if hint is Context), None)


def _arguments(run: Callable[..., Any]) -> Arguments:
    return SignatureArguments(run, left_out=_context_parameter(run))


def _result_schema(run: Callable[..., Any]) -> tuple[Json | None, bool]:
    """The output schema of a function by its type hint, and whether it wraps the result.

    A text is no structured content; of a function without a hint nothing is known.
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
