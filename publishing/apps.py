from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "publishing"

    def ready(self) -> None:
        from publishing import receivers  # noqa: F401, PLC0415  (connects them)
