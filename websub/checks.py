"""System checks of the hub."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004  (Django's name)


@register(Tags.security)
def callbacks_are_public(**kwargs: Any) -> list[CheckMessage]:
    if not settings.HUB_ALLOW_NETS:
        return []
    return [
        Warning(
            f"The hub may contact callbacks in {', '.join(settings.HUB_ALLOW_NETS)}, "
            "whether or not they are public.",
            hint="HUB_ALLOW_NETS is for tests and for private networks. Anybody who can reach the "
            "hub can have it send requests there; leave it empty on the public internet.",
            id="websub.W001",
        )
    ]
