from django.apps import AppConfig


class ImportsConfig(AppConfig):
    name = "imports"
    dashboard = "imports.admin.dashboard.entries"

    def ready(self) -> None:
        from imports import receivers  # noqa: F401, PLC0415  (connects the receivers)
