from django.apps import AppConfig


class SourcesConfig(AppConfig):
    name = "sources"
    dashboard = "sources.admin.dashboard.entries"
    verbose_name = "Sources"
