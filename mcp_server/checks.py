"""System checks: settings that cannot be used, and what a server is probably missing."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004
from django.utils.module_loading import autodiscover_modules

from mcp_server import conf
from mcp_server.registry import registry

EXAMPLE = "https://example.com"  # An address of the site, for settings that take one.


@register(Tags.compatibility)
def check_settings(**kwargs: Any) -> list[CheckMessage]:
    """Dotted paths that cannot be imported, and origins that are none."""
    messages: list[CheckMessage] = []
    try:
        if conf.rate_limiter() is None:
            hint = (
                "Set MCP_RATE_LIMITER to the dotted path of a callable that takes a request and "
                "returns None, or the seconds to wait."
            )
            messages.append(_warning("W001", "The MCP server has no rate limit.", hint))
    except ImportError as error:
        hint = "Set it to the dotted path of a callable, or leave it out."
        messages.append(_error("E001", f"MCP_RATE_LIMITER: {error}.", hint))
    try:
        if not conf.instructions(EXAMPLE):
            hint = (
                'Set MCP_SERVER["instructions"] to a few sentences that tell a model what the '
                "tools are for and where to begin."
            )
            messages.append(_warning("W002", "The MCP server has no instructions.", hint))
    except ImportError as error:
        hint = "Set it to a text, or to the dotted path of a callable."
        messages.append(_error("E002", f'MCP_SERVER["instructions"]: {error}.', hint))
    try:
        conf.origins(EXAMPLE)
    except ValueError as error:
        hint = "Name origins like https://app.example.com, separated by commas, or *."
        messages.append(_error("E003", f"MCP_ALLOWED_ORIGINS: {error}.", hint))
    return messages


@register(Tags.compatibility)
def check_registry(**kwargs: Any) -> list[CheckMessage]:
    """A server that offers nothing, and tools without a description or their UI resource."""
    autodiscover_modules("mcp")
    tools, resources = registry.tools.values(), registry.resources
    if not (tools or resources or registry.prompts):
        hint = "Declare tools, resources or prompts in the mcp.py of an installed app."
        return [_warning("W003", "The MCP server offers nothing.", hint)]
    hint = "Give its function a docstring that tells a model when to use it."
    undescribed = [each.name for each in tools if not each.description]
    messages: list[CheckMessage] = [
        _warning("W004", f"The MCP tool {name} has no description.", hint) for name in undescribed
    ]
    hint = "Declare it with @ui_resource in the mcp.py of an installed app."
    for tool in tools:
        if tool.ui_resource is not None and tool.ui_resource not in resources:
            message = f"The MCP tool {tool.name} names the UI resource {tool.ui_resource}, which"
            messages.append(_error("E004", f"{message} is not declared.", hint))
    return messages


@register(Tags.caches, deploy=True)
def check_cache(**kwargs: Any) -> list[CheckMessage]:
    """Find a cache that does not tell other processes of ended sessions."""
    backend = str(settings.CACHES.get("default", {}).get("BACKEND", ""))
    if not backend.endswith(("LocMemCache", "DummyCache")):
        return []
    hint = "Use a cache that all processes share as CACHES['default']."
    return [_warning("W005", "Ended MCP sessions are remembered by one process alone.", hint)]


def _warning(number: str, message: str, hint: str) -> Warning:
    return Warning(message, hint=hint, id=f"mcp_server.{number}")


def _error(number: str, message: str, hint: str) -> Error:
    return Error(message, hint=hint, id=f"mcp_server.{number}")
