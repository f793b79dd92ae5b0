"""Which database holds what."""

from typing import Any

from django.conf import settings
from django.db.models import Model

CACHE_APP = "django_cache"  # The label under which Django keeps its cache tables.


class CacheRouter:
    """The shared cache's table lives alone in the database named `cache`, where there is one."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        has_own = model._meta.app_label == CACHE_APP and "cache" in settings.DATABASES
        return "cache" if has_own else None

    db_for_write = db_for_read

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return app_label == CACHE_APP if db == "cache" else None
