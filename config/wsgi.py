"""The web process: documents, searches and MCP are answered before Django is entered."""

import os
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()

# Their models need the apps to be loaded.
from config.logs import request_id  # noqa: E402
from config.search_front import SearchFront  # noqa: E402
from mcp_server.front import McpFront  # noqa: E402
from publishing.front import Front  # noqa: E402

_front = Front(SearchFront(McpFront(_django, begin=request_id.set)))
# The bound method: to call the object costs a detour through its type.
application: "WSGIApplication" = _front.__call__

if settings.METRICS_TOKEN:
    from metrics.requests import Metered

    application = Metered(application)
