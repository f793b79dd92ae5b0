from django.apps import AppConfig


class InsightsConfig(AppConfig):
    name = "insights"
    inbox_panels = "insights.admin.inbox.panels"
    dashboard = "insights.admin.dashboard.entries"

    def ready(self) -> None:
        from insights import receivers  # noqa: F401, PLC0415  (connects the receivers)
