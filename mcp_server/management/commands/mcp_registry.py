"""`mcp_registry`: the server.json by which an MCP registry lists this server."""

import json
from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand, CommandError

from mcp_server import conf, server


class Command(BaseCommand):
    """Print the server's entry for a registry."""

    help = (
        "Print the server.json by which an MCP registry lists this server (schema 2025-12-11). "
        "Publish it with the registry's own program."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        base_url = conf.server("base_url").rstrip("/")
        if urlsplit(base_url).scheme != "https":
            raise CommandError(
                f"The server's address is {base_url or 'not set'}. A registry lists public "
                "addresses with https alone: set MCP_SERVER['base_url'] to one."
            )
        entry = server.registry_entry(base_url)
        self.stdout.write(json.dumps(entry, indent=2, ensure_ascii=False))
