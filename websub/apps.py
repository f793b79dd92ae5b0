from django.apps import AppConfig


class WebsubConfig(AppConfig):
    name = "websub"
    verbose_name = "WebSub hub"

    def ready(self) -> None:
        from websub import checks, receivers  # noqa: F401, PLC0415  (connects them)
