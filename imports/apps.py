from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ImportsConfig(AppConfig):
    name = "imports"
    verbose_name = _("Imports")
    dashboard = "imports.admin.dashboard.entries"

    def ready(self) -> None:
        from imports import receivers  # noqa: F401, PLC0415  (connects the receivers)
