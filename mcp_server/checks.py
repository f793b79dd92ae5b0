"""System checks of the settings and of the declared tools."""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004
from django.urls import Resolver404, resolve
from django.utils.module_loading import autodiscover_modules

from mcp_server import conf
from mcp_server.oauth import WELL_KNOWN
from mcp_server.registry import registry

EXAMPLE = "https://example.com"  # Base URL for reading settings that depend on one.


@register(Tags.compatibility)
def check_settings(**kwargs: Any) -> list[CheckMessage]:
    """Find settings that are missing, unknown or invalid."""
    return list(_invalid_settings() or _missing_settings())


def _missing_settings() -> Iterator[CheckMessage]:
    if conf.optional("MCP_RATE_LIMITER") is None:
        hint = (
            "Set MCP_RATE_LIMITER to the dotted path of a callable that takes a request and "
            "returns None, or the seconds to wait."
        )
        yield _warning("W001", "The MCP server has no rate limit.", hint)
    if not conf.instructions(EXAMPLE):
        hint = (
            'Set MCP_SERVER["instructions"] to a few sentences that tell a model what the tools '
            "are for and where to begin."
        )
        yield _warning("W002", "The MCP server has no instructions.", hint)


def _invalid_settings() -> list[CheckMessage]:
    found: list[CheckMessage] = []
    for name in (each for each in dir(settings) if each.startswith("MCP_")):
        if name not in conf.DEFAULTS and (meant := get_close_matches(name, conf.DEFAULTS, 1, 0.85)):
            hint = f"Do you mean {meant[0]}?"
            found.append(_error("E005", f"The setting {name} is unknown.", hint))
    mistyped = [
        _error("E005", f"{name} must be {words}.", f"Its default is {default!r}.")
        for name, default in conf.DEFAULTS.items()
        if (words := _type_problem(conf.get(name), default))
    ]
    if mistyped:
        return [*found, *mistyped]
    for key in sorted(map(str, set(conf.get("MCP_SERVER")) - conf.SERVER_MEMBERS)):
        hint = f"Its keys are {', '.join(sorted(conf.SERVER_MEMBERS))}."
        found.append(_error("E005", f"MCP_SERVER has the unknown key {key}.", hint))
    for number, name, hint, read in _READABLE:
        try:
            read()
        except (ImportError, ValueError) as error:
            found.append(_error(number, f"{name}: {error}.", hint))
    return [*found, *(_check_oauth() if conf.get("MCP_OAUTH") else ())]


def _type_problem(value: object, default: object) -> str:
    """Return the end of a sentence about an invalid setting, else an empty text."""
    if isinstance(default, int) and isinstance(value, int) and value < 0:
        return "at least 0"
    if (default == "" and value is None) or isinstance(value, type(default)):
        return ""
    return f"of type {type(default).__name__}"


def _check_oauth() -> Iterator[CheckMessage]:
    if not conf.get("MCP_OAUTH").get("authorization_servers"):
        hint = 'Set it to {"authorization_servers": ["https://login.example.com"]}.'
        yield _error("E006", "MCP_OAUTH names no authorization_servers.", hint)
    try:
        resolve(f"/{WELL_KNOWN}")
    except Resolver404:
        hint = 'Add path("", include("mcp_server.oauth")) to the URLs of the site.'
        yield _error("E006", "MCP_OAUTH is set, and its document has no address.", hint)


_CALLABLE = "Set it to the dotted path of a callable, or leave it out."
_ORIGINS = "Name origins like https://app.example.com, separated by commas, or *."
_TEXT = "Set it to a text, or to the dotted path of a callable."
# Settings that the check reads: number of the message, setting, hint and reader.
_READABLE: Sequence[tuple[str, str, str, Callable[[], object]]] = (
    ("E001", "MCP_RATE_LIMITER", _CALLABLE, lambda: conf.optional("MCP_RATE_LIMITER")),
    ("E001", "MCP_PERMISSION", _CALLABLE, lambda: conf.optional("MCP_PERMISSION")),
    ("E001", "MCP_COMPRESSOR", _CALLABLE, lambda: conf.imported("MCP_COMPRESSOR")),
    ("E002", 'MCP_SERVER["instructions"]', _TEXT, lambda: conf.instructions(EXAMPLE)),
    ("E003", "MCP_ALLOWED_ORIGINS", _ORIGINS, lambda: conf.origins(EXAMPLE)),
)


@register(Tags.compatibility)
def check_registry(**kwargs: Any) -> list[CheckMessage]:
    """Find a server without tools, and tools without a description or their UI resource."""
    autodiscover_modules("mcp")
    tools, resources = registry.tools.values(), registry.resources
    if not (tools or resources or registry.prompts):
        hint = "Declare tools, resources or prompts in the mcp.py of an installed app."
        return [_warning("W003", "The MCP server offers nothing.", hint)]
    hint = "Give its function a docstring that tells a model when to use it."
    messages: list[CheckMessage] = [
        _warning("W004", f"The MCP tool {tool.name} has no description.", hint)
        for tool in tools
        if not tool.description
    ]
    hint = "Declare it with @ui_resource in the mcp.py of an installed app."
    for tool in tools:
        if tool.ui_resource is not None and tool.ui_resource not in resources:
            message = f"The MCP tool {tool.name} names the UI resource {tool.ui_resource}, which"
            messages.append(_error("E004", f"{message} is not declared.", hint))
    return messages


@register(Tags.caches, deploy=True)
def check_cache(**kwargs: Any) -> list[CheckMessage]:
    """Find a cache that does not share ended sessions between processes."""
    backend = str(settings.CACHES.get("default", {}).get("BACKEND", ""))
    if not backend.endswith(("LocMemCache", "DummyCache")):
        return []
    hint = "Use a cache that all processes share as CACHES['default']."
    return [_warning("W005", "Other processes do not learn of ended MCP sessions.", hint)]


def _warning(number: str, message: str, hint: str) -> Warning:
    return Warning(message, hint=hint, id=f"mcp_server.{number}")


def _error(number: str, message: str, hint: str) -> Error:
    return Error(message, hint=hint, id=f"mcp_server.{number}")
