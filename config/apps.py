from django.apps import AppConfig, apps
from django.conf import settings
from django.contrib.admin import apps as admin_apps
from django.db.models.signals import post_migrate
from django.utils.module_loading import import_string

from config.env import refuse
from core.db.cache import create_cache_table


class ConfigConfig(AppConfig):
    name = "config"
    dashboard = "config.dashboard.entries"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415  (needs the settings)

        _refuse_unknown_analyser()
        # Django sends `post_migrate` once for each app with models; one of them is enough here.
        post_migrate.connect(create_cache_table, sender=apps.get_app_config("reviews"))


class AdministrationConfig(admin_apps.AdminConfig):
    default_site = "config.admin.Administration"

    def ready(self) -> None:
        super().ready()
        from config import user_admin  # noqa: F401, PLC0415  (replaces Django's pages)


def _refuse_unknown_analyser() -> None:
    named = settings.INSIGHTS_ANALYSER
    try:
        why = "" if isinstance(import_string(named), type) else f"{named} is not a class"
    except ImportError as error:
        why = str(error)
    if why:
        refuse(
            "INSIGHTS_ANALYSER",
            f"is {named!r}, which cannot be used ({why})",
            "Set it to the dotted path of a class, or leave it out.",
        )
