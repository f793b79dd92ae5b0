from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SourcesConfig(AppConfig):
    name = "sources"
    dashboard = "sources.admin.dashboard.entries"
    reply_channel = "sources.replies.channel_of"
    verbose_name = _("Sources")

    def ready(self) -> None:
        from sources import receivers  # noqa: F401, PLC0415  (connects the receivers)
