"""System checks: what starts, but probably not as it was meant. Each says what to do about it."""

import os
import stat
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004  (Django's name)

from guarded_http.addresses import is_this_machine
from insights.neural import NeuralModelMissing, load_model


@register(Tags.security)
def public_address_uses_tls(**kwargs: Any) -> list[CheckMessage]:
    if settings.IS_HTTPS or is_this_machine(urlsplit(settings.BASE_URL).hostname or ""):
        return []
    return [
        Warning(
            f"BASE_URL is {settings.BASE_URL}, without TLS.",
            hint="Put a proxy that ends TLS in front and set BASE_URL=https://...; see "
            "docs/install.md. Until then cookies and passwords travel readable.",
            id="reviews.W001",
        )
    ]


@register(Tags.security)
def debug_stays_at_home(**kwargs: Any) -> list[CheckMessage]:
    if not settings.DEBUG or is_this_machine(urlsplit(settings.BASE_URL).hostname or ""):
        return []
    return [
        Warning(
            f"DEBUG is on at {settings.BASE_URL}.",
            hint="Leave DEBUG out: its error pages show settings and code to everybody.",
            id="reviews.W002",
        )
    ]


@register(Tags.security)
def state_can_be_written(**kwargs: Any) -> list[CheckMessage]:
    if os.access(settings.STATE_DIR, os.W_OK | os.X_OK):
        return []
    return [
        Warning(
            f"STATE_DIR {settings.STATE_DIR} cannot be written by this user.",
            hint="Give the service's user write access to it, or name another folder.",
            id="reviews.W003",
        )
    ]


@register(Tags.security)
def state_is_private(**kwargs: Any) -> list[CheckMessage]:
    try:
        mode = stat.S_IMODE(settings.STATE_DIR.stat().st_mode)
    except OSError:
        return []  # `state_can_be_written` says so.
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return []
    return [
        Warning(
            f"STATE_DIR {settings.STATE_DIR} is open to other users of this machine ({mode:04o}).",
            hint=f"Close it, and the files of earlier versions: chmod -R go= {settings.STATE_DIR}",
            id="reviews.W005",
        )
    ]


@register(Tags.security)
def messages_reach_every_machine(**kwargs: Any) -> list[CheckMessage]:
    # Files are fine on one machine; a database of its own usually means that there are more.
    is_in_files = settings.CELERY_BROKER_URL.startswith("filesystem:")
    if settings.USES_SQLITE or not is_in_files:
        return []
    return [
        Warning(
            "The database is a server, but messages travel through files under STATE_DIR.",
            hint="Set REDIS_URL, or CELERY_BROKER_URL to another broker, so that web and worker "
            "reach each other from any machine. Nothing is lost without it, only slower.",
            id="reviews.W004",
        )
    ]


@register()
def neural_network_is_there(**kwargs: Any) -> list[CheckMessage]:
    if settings.INSIGHTS_ANALYSER != "insights.neural.NeuralAnalyser":
        return []
    try:
        load_model()
    except NeuralModelMissing as missing:
        return [
            Warning(
                f"The rules read the reviews without the neural network: {missing.fault}",
                hint=missing.remedy,
                id="reviews.W006",
            )
        ]
    return []
