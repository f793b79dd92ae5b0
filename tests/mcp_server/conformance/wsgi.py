"""The web process with the fixtures in its tables."""

import os

# Ignore the environment, since the fixtures are for these settings alone.
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.mcp_server.conformance.settings"

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from tests.mcp_server.conformance import serving  # noqa: E402, F401  (fills the tables)
