"""`manage.py reencrypt_secrets`: the hub's command, for sources and second factors as well."""

from config import secrets
from websub.management.commands.reencrypt_secrets import Command as HubCommand


class Command(HubCommand):
    remedy = (
        f"{HubCommand.remedy} A second step can be removed instead, with "
        "`manage.py reset_second_factor`."
    )

    def reencrypt(self) -> tuple[int, int]:
        return secrets.reencrypt()
