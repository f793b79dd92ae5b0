"""System checks: settings that cannot be used, and what a server is probably missing."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import (  # (Django's name)
    CheckMessage,
    Error,
    Tags,
    Warning,  # noqa: A004
    register,
)
from django.utils.module_loading import autodiscover_modules

from mcp_server import conf
from mcp_server.registry import registry


@register(Tags.compatibility)
def check_settings(**kwargs: Any) -> list[CheckMessage]:
    """Dotted paths that cannot be imported, and origins that are none."""
    return [*_rate_limiter(), *_instructions(), *_origins()]


def _rate_limiter() -> Iterator[CheckMessage]:
    try:
        limiter = conf.rate_limiter()
    except ImportError as error:
        hint = "Set it to the dotted path of a callable, or leave it out."
        yield Error(f"MCP_RATE_LIMITER: {error}.", hint=hint, id="mcp_server.E001")
        return
    if limiter is None:
        hint = (
            "Set MCP_RATE_LIMITER to the dotted path of a callable that takes a request and "
            "returns None, or the seconds to wait."
        )
        yield Warning("The MCP server has no rate limit.", hint=hint, id="mcp_server.W001")


def _instructions() -> Iterator[CheckMessage]:
    try:
        instructions = conf.instructions("https://example.com")
    except ImportError as error:
        hint = "Set it to a text, or to the dotted path of a callable."
        yield Error(f'MCP_SERVER["instructions"]: {error}.', hint=hint, id="mcp_server.E002")
        return
    if not instructions:
        hint = (
            'Set MCP_SERVER["instructions"] to a few sentences that tell a model what the tools '
            "are for and where to begin."
        )
        yield Warning("The MCP server has no instructions.", hint=hint, id="mcp_server.W002")


def _origins() -> Iterator[CheckMessage]:
    try:
        conf.origins("https://example.com")
    except ValueError as error:
        hint = "Name origins like https://app.example.com, separated by commas, or *."
        yield Error(f"MCP_ALLOWED_ORIGINS: {error}.", hint=hint, id="mcp_server.E003")


@register(Tags.compatibility)
def check_registry(**kwargs: Any) -> list[CheckMessage]:
    """A server that offers nothing, and tools that say nothing of themselves."""
    autodiscover_modules("mcp")
    if not (registry.tools or registry.resources or registry.prompts):
        return [
            Warning(
                "The MCP server offers nothing.",
                hint="Declare tools, resources or prompts in the mcp.py of an installed app.",
                id="mcp_server.W003",
            )
        ]
    return [
        Warning(
            f"The MCP tool {tool.name} has no description.",
            hint="Give its function a docstring that tells a model when to use it.",
            id="mcp_server.W004",
        )
        for tool in registry.tools.values()
        if not tool.description
    ]


@register(Tags.compatibility)
def check_ui_resources(**kwargs: Any) -> list[CheckMessage]:
    """Tools that name a UI resource which is not there."""
    autodiscover_modules("mcp")
    return [
        Error(
            f"The MCP tool {tool.name} names the UI resource {tool.ui_resource}, which is not "
            "declared.",
            hint="Declare it with @ui_resource in the mcp.py of an installed app.",
            id="mcp_server.E004",
        )
        for tool in registry.tools.values()
        if tool.ui_resource is not None and tool.ui_resource not in registry.resources
    ]


@register(Tags.caches, deploy=True)
def check_cache(**kwargs: Any) -> list[CheckMessage]:
    """Find a cache that does not tell other processes of ended sessions."""
    backend = str(settings.CACHES.get("default", {}).get("BACKEND", ""))
    if not backend.endswith(("LocMemCache", "DummyCache")):
        return []
    return [
        Warning(
            "Ended MCP sessions are remembered by one process alone.",
            hint="Use a cache that all processes share as CACHES['default'].",
            id="mcp_server.W005",
        )
    ]
