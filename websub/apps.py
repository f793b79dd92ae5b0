from django.apps import AppConfig


class WebsubConfig(AppConfig):
    name = "websub"
    verbose_name = "WebSub hub"
