"""The web process: published documents are answered before Django is entered."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()

from publishing.front import Front  # noqa: E402  (its models need the apps to be loaded)

application = Front(_django)
