from importlib import import_module
from importlib.util import find_spec

from django.apps import AppConfig, apps

from websub import conf


class WebsubConfig(AppConfig):
    name = "websub"
    verbose_name = "WebSub hub"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from websub import checks  # noqa: F401, PLC0415  (registers the checks)

        if apps.is_installed("publishing"):
            import_module("websub.documents")  # Connects the signal that delivers changes at once.
        if conf.get("WEBSUB_USE_CELERY") and find_spec("celery"):
            import_module("websub.tasks")  # Registers the tasks.
