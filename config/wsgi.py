"""The web process: published documents are answered before Django is entered."""

import os
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()

from publishing.front import Front  # noqa: E402  (its models need the apps to be loaded)

application: "WSGIApplication" = Front(_django)

if settings.METRICS_TOKEN:
    from metrics.requests import Metered

    application = Metered(application)
