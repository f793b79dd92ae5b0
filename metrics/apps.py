from django.apps import AppConfig


class MetricsConfig(AppConfig):
    """App that is installed if `METRICS_TOKEN` is set."""

    name = "metrics"

    def ready(self) -> None:
        from metrics import counting  # noqa: F401, PLC0415  (connects the receivers)
