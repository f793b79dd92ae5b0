"""`manage.py reencrypt_secrets`: re-encrypt the secrets of all apps."""

import notifications.services
import sign_in.services
import sources.services
import websub.services
from websub.management.commands.reencrypt_secrets import Command as HubCommand


def reencrypt() -> tuple[int, int]:
    """Encrypt all secrets with the current key. Return the numbers of done and lost ones."""
    results = [
        app.services.reencrypt_secrets() for app in (websub, sources, sign_in, notifications)
    ]
    return sum(done for done, _ in results), sum(lost for _, lost in results)


class Command(HubCommand):
    remedy = (
        f"{HubCommand.remedy} A second step can be removed instead, with "
        "`manage.py reset_second_factor`."
    )

    def reencrypt(self) -> tuple[int, int]:
        return reencrypt()
