"""Model Context Protocol server over streamable HTTP, for the tools of any Django project.

Apps declare tools, resources and prompts in their `mcp.py`, which `mcp_server.urls` imports.
See README.md.
"""

from mcp_server.arguments import Argument, Arguments, InvalidArguments
from mcp_server.context import Context
from mcp_server.encoding import JsonText
from mcp_server.registry import (
    READ_ONLY,
    Content,
    PromptError,
    ServiceUnavailable,
    ToolError,
    completion,
    example,
    prompt,
    resource,
    tool,
    ui_resource,
)

__version__ = "1.0.0"

__all__ = [
    "READ_ONLY",
    "Argument",
    "Arguments",
    "Content",
    "Context",
    "InvalidArguments",
    "JsonText",
    "PromptError",
    "ServiceUnavailable",
    "ToolError",
    "completion",
    "example",
    "prompt",
    "resource",
    "tool",
    "ui_resource",
]
