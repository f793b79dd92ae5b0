"""`manage.py after_restore`: prepare tables that other tools have restored."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import backup
from config.management.commands.restore import LOST_SECRETS


class Command(BaseCommand):
    help = "Migrate restored tables, release claims, pause sources, and raise the revision."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            lost = backup.after_restore()
        except backup.BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        if lost:
            self.stderr.write(LOST_SECRETS.format(lost))
