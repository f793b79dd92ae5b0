"""`manage.py reencrypt_secrets`: encrypt secrets with a new SECRET_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from websub.secrets import SecretLost, models_with_secrets, renewed

CHUNK = 500


class Command(BaseCommand):
    help = (
        "Encrypt stored secrets again with SECRET_KEY, reading them with SECRET_KEY_FALLBACKS too. "
        "Doing it again changes nothing."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        done, lost = self.reencrypt()
        self.stdout.write(f"{done} secrets are encrypted again.")
        if lost:
            raise CommandError(
                f"{lost} secrets cannot be read: add the key that they were encrypted with to "
                "SECRET_KEY_FALLBACKS, and run this again."
            )

    def reencrypt(self) -> tuple[int, int]:
        """Numbers of secrets that were encrypted again, and of those that no key opens."""
        done = lost = 0
        for model in models_with_secrets():
            rows = model._default_manager.exclude(encrypted_secret="")
            stored_secrets = rows.order_by("pk").values_list("pk", "encrypted_secret")
            for pk, stored in stored_secrets.iterator(CHUNK):
                try:
                    new = renewed(stored)
                except SecretLost:
                    lost += 1
                    continue
                if new:
                    # Unless it has been replaced meanwhile.
                    same = model._default_manager.filter(pk=pk, encrypted_secret=stored)
                    done += same.update(encrypted_secret=new)
        return done, lost
