from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"
    verbose_name = _("Notifications")
    dashboard = "notifications.dashboard.entries"

    def ready(self) -> None:
        from notifications import receivers  # noqa: F401, PLC0415  (connects the receivers)
