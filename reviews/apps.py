from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "reviews"
    dashboard = "reviews.admin.dashboard.entries"

    def ready(self) -> None:
        from reviews import receivers  # noqa: F401, PLC0415  (connects the receivers)
