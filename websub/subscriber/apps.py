from django.apps import AppConfig, apps
from django.core.checks import register

from websub import conf

USED = ("BASE_URL", "CA_BUNDLE", "ALLOWED_NETWORKS", "ALLOWED_PORTS", "SUBSCRIBER_MAX_BYTES")


class SubscriberConfig(AppConfig):
    name = "websub.subscriber"
    label = "websub_subscriber"
    verbose_name = "WebSub subscriber"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        if not apps.is_installed("websub"):  # The hub's own checks cover all settings.
            used = [f"WEBSUB_{name}" for name in USED]
            register(lambda **_: list(conf.setting_errors(*used)))
