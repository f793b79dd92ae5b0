from allauth.account.apps import AccountConfig
from allauth.mfa.apps import MFAConfig
from axes.apps import AppConfig as AxesConfig
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
        from config import checks, errors  # noqa: F401, PLC0415  (need the settings)

        errors.register_formats()
        _refuse_unknown_analyser()
        # Django announces a migration for apps with models only; the first of ours speaks for it.
        post_migrate.connect(create_cache_table, sender=apps.get_app_config("reviews"))


class AdministrationConfig(admin_apps.AdminConfig):
    default_site = "config.admin.Administration"

    def ready(self) -> None:
        super().ready()
        from config import user_admin  # noqa: F401, PLC0415  (takes the place of Django's pages)


class SignInsConfig(AxesConfig):  # type: ignore[misc]  # It has no types.
    """The record of failed sign-ins, under a name that says so."""

    verbose_name = "Sign-ins"

    def ready(self) -> None:
        super().ready()
        from config.sign_in import log  # noqa: F401, PLC0415  (connects its receivers)


class AccountsConfig(AccountConfig):  # type: ignore[misc]  # It has no types.
    """Pages of a user's own sign-in."""

    def ready(self) -> None:
        # Its own refuses to start unless MIDDLEWARE, rather than the chain of the administration,
        # has its middleware.
        from allauth.account import checks  # noqa: F401, PLC0415


class SecondFactorsConfig(MFAConfig):  # type: ignore[misc]  # It has no types.
    """Authenticator apps, passkeys and recovery codes of users."""

    verbose_name = "Second factors"

    def ready(self) -> None:
        super().ready()
        from allauth.mfa import signals  # noqa: PLC0415  (loads models)

        from config.sign_in import services  # noqa: PLC0415

        signals.authenticator_added.connect(services.use_up_first_code)
        for changed in (signals.authenticator_added, signals.authenticator_removed):
            changed.connect(services.end_other_sessions)


def _refuse_unknown_analyser() -> None:
    named = settings.INSIGHTS_ANALYSER
    try:
        why = "" if isinstance(import_string(named), type) else f"{named} is no class"
    except ImportError as error:
        why = str(error)
    if why:
        refuse(
            "INSIGHTS_ANALYSER",
            f"is {named!r}, which cannot be used ({why})",
            "Set it to the dotted path of a class, or leave it out.",
        )
