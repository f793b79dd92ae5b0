from typing import Any

from django.core.management.base import BaseCommand, CommandError

from websub.services import reencrypt_secrets


class Command(BaseCommand):
    help = (
        "Encrypt stored secrets again with SECRET_KEY, reading them with SECRET_KEY_FALLBACKS too. "
        "Doing it again changes nothing."
    )
    remedy = (
        "add the key that they were encrypted with to SECRET_KEY_FALLBACKS, and run this again."
    )

    def reencrypt(self) -> tuple[int, int]:
        """Encrypt secrets again; return the numbers of done and of unreadable ones."""
        return reencrypt_secrets()

    def handle(self, *args: Any, **options: Any) -> None:
        done, lost = self.reencrypt()
        self.stdout.write(f"{done} secrets are encrypted again.")
        if lost:
            raise CommandError(f"{lost} secrets cannot be read: {self.remedy}")
