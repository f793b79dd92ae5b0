"""`manage.py reset_second_factor`: admit a user who has lost phone and recovery codes."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from sign_in.services import remove_second_factor


class Command(BaseCommand):
    help = (
        "Remove the second step of a user: authenticator app, passkeys and recovery codes. The "
        "password alone lets the user in afterwards; all sessions of the user end."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no user {username!r}. Write the name as in the list.")
        if not remove_second_factor(user):
            raise CommandError(f"{username!r} has no second step; nothing was changed.")
        self.stdout.write(f"{username!r} signs in with the password alone now.")
