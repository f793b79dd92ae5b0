from django.apps import AppConfig


class WebsubConfig(AppConfig):
    name = "websub"
    verbose_name = "WebSub hub"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from websub import checks  # noqa: F401, PLC0415  (registers them)
