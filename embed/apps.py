from django.apps import AppConfig


class EmbedConfig(AppConfig):
    name = "embed"

    def ready(self) -> None:
        from core.http.problems import register_program_paths  # noqa: PLC0415

        register_program_paths({"/oembed", "/embed.css", "/badge.svg", "/badge.png"})
