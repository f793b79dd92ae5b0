"""System checks of the hub."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004  (Django's name)
from django.db import DatabaseError

from websub import conf
from websub.models import Subscription
from websub.tls import NoTrustedAuthorities, tls_context


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


@register(Tags.security)
def certificates_can_be_checked(**kwargs: Any) -> list[CheckMessage]:
    try:
        tls_context(settings.HUB_CA_BUNDLE)
    except NoTrustedAuthorities as nobody:
        return [Warning(str(nobody), id="websub.W002")]
    except OSError as error:
        return [
            Warning(
                f"The hub cannot read certificate authorities from {settings.HUB_CA_BUNDLE}: "
                f"{error.strerror or error}.",
                hint="Set HUB_CA_BUNDLE to a PEM file that this user may read, or leave it out to "
                "trust those of the system. Until then nothing is delivered.",
                id="websub.W002",
            )
        ]
    return []


@register(Tags.database)
def subscriptions_have_topics(
    databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Counted where the database may be asked: by `migrate`, and by `check --database default`."""
    if not databases:
        return []
    try:
        orphaned = Subscription.objects.orphaned(conf.topics()).count()
    except DatabaseError:  # Its table is not there yet.
        return []
    if not orphaned:
        return []
    counted = "1 subscription is" if orphaned == 1 else f"{orphaned:,} subscriptions are"
    return [
        Warning(
            f"{counted} to topics that are not served under {settings.BASE_URL}, so nothing is "
            "delivered to them.",
            hint="If BASE_URL is right, end them in the administration: WebSub hub, Subscriptions, "
            "state orphaned, End all orphaned subscriptions. Their callbacks are told the new "
            "address. If it is not, set BASE_URL back, and they go on.",
            id="websub.W003",
        )
    ]
