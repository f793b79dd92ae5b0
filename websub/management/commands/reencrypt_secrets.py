"""`manage.py reencrypt_secrets`: encrypt secrets with a new SECRET_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from websub.models import Subscription, Verification
from websub.secrets import SecretLost, renewed

CHUNK = 500


class Command(BaseCommand):
    help = (
        "Encrypt the subscribers' secrets again with SECRET_KEY, reading them with "
        "SECRET_KEY_FALLBACKS too. Doing it again changes nothing."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        done = lost = 0
        for model in (Subscription, Verification):
            rows = model.objects.exclude(encrypted_secret="").values_list("pk", "encrypted_secret")
            for pk, stored in rows.order_by("pk").iterator(CHUNK):
                try:
                    new = renewed(stored)
                except SecretLost:
                    lost += 1
                    continue
                if new:
                    # Unless the subscriber has sent another one meanwhile.
                    same = model.objects.filter(pk=pk, encrypted_secret=stored)
                    done += same.update(encrypted_secret=new)
        self.stdout.write(f"{done} secrets are encrypted again.")
        if lost:
            raise CommandError(
                f"{lost} secrets cannot be read: add the key that they were encrypted with to "
                "SECRET_KEY_FALLBACKS, and run this again."
            )
