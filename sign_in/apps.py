from allauth.account.apps import AccountConfig
from allauth.mfa.apps import MFAConfig
from axes.apps import AppConfig as AxesConfig
from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SignInConfig(AppConfig):
    name = "sign_in"
    default = True


class SignInRecordsConfig(AxesConfig):  # type: ignore[misc]  # It has no types.
    verbose_name = _("Sign-ins")

    def ready(self) -> None:
        super().ready()
        from sign_in import log  # noqa: F401, PLC0415  (connects its receivers)


class AccountsConfig(AccountConfig):  # type: ignore[misc]  # It has no types.
    def ready(self) -> None:
        # Replaces the original method, which requires the middleware of allauth in MIDDLEWARE. Here
        # it is in the chain of the admin.
        from allauth.account import checks  # noqa: F401, PLC0415


class SecondFactorsConfig(MFAConfig):  # type: ignore[misc]  # It has no types.
    verbose_name = _("Second factors")

    def ready(self) -> None:
        super().ready()
        from allauth.mfa import signals  # noqa: PLC0415  (loads models)

        from sign_in import services  # noqa: PLC0415

        signals.authenticator_added.connect(services.invalidate_first_code)
        for changed in (signals.authenticator_added, signals.authenticator_removed):
            changed.connect(services.end_other_sessions)
