from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class PublishingConfig(AppConfig):
    name = "publishing"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from publishing import checks  # noqa: F401, PLC0415  (registers them; needs the models)

        autodiscover_modules("documents")
