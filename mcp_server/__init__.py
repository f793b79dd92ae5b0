"""A Model Context Protocol server for any tools, resources and prompts, over streamable HTTP.

An app declares them in its `mcp.py`, which is found where the addresses are included.
See README.md. Nothing here knows what the tools are about.
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
