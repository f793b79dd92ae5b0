"""`manage.py reencrypt_secrets`: the hub's command, for sources and second factors as well."""

from typing import Any

from django.core.management.base import CommandError

from sign_in.services import reencrypt_second_factors
from sources.services import reencrypt_secrets
from websub.management.commands.reencrypt_secrets import Command as SecretsCommand


class Command(SecretsCommand):
    def handle(self, *args: Any, **options: Any) -> None:
        done, lost = reencrypt_second_factors()
        if done:
            self.stdout.write(f"{done} secrets of second steps are encrypted again.")
        super().handle(*args, **options)
        if lost:
            raise CommandError(
                f"{lost} secrets of second steps cannot be read: add the key that they were "
                "encrypted with to SECRET_KEY_FALLBACKS, and run this again; or run "
                "`manage.py reset_second_factor` for their users."
            )

    def reencrypt(self) -> tuple[int, int]:
        done, lost = super().reencrypt()
        done_of_sources, lost_of_sources = reencrypt_secrets()
        return done + done_of_sources, lost + lost_of_sources
