"""System checks for settings that work but are probably a mistake, each with a remedy."""

import os
import stat
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004  (Django's name)

from guarded_http.addresses import is_loopback_host
from insights.neural import NeuralModelMissing, load_model


def _warning(number: int, text: str, hint: str) -> list[CheckMessage]:
    return [Warning(text, hint=hint, id=f"reviews.W{number:03}")]


def _is_local() -> bool:
    return is_loopback_host(urlsplit(settings.BASE_URL).hostname or "")


@register(Tags.security)
def public_address_uses_tls(**kwargs: Any) -> list[CheckMessage]:
    if settings.IS_HTTPS or _is_local():
        return []
    hint = (
        "Put a proxy that ends TLS in front and set BASE_URL=https://...; see docs/install.md. "
        "Until then cookies and passwords travel unencrypted."
    )
    return _warning(1, f"BASE_URL is {settings.BASE_URL}, without TLS.", hint)


@register(Tags.security)
def debug_stays_at_home(**kwargs: Any) -> list[CheckMessage]:
    if not settings.DEBUG or _is_local():
        return []
    hint = "Leave DEBUG out: its error pages show settings and code to everybody."
    return _warning(2, f"DEBUG is on at {settings.BASE_URL}.", hint)


@register(Tags.security)
def state_can_be_written(**kwargs: Any) -> list[CheckMessage]:
    if os.access(settings.STATE_DIR, os.W_OK | os.X_OK):
        return []
    hint = "Give the service's user write access to it, or name another folder."
    return _warning(3, f"STATE_DIR {settings.STATE_DIR} cannot be written by this user.", hint)


@register(Tags.security)
def messages_reach_every_machine(**kwargs: Any) -> list[CheckMessage]:
    # Files are fine on one machine, but a database server usually means that there are several.
    if settings.USES_SQLITE or not settings.CELERY_BROKER_URL.startswith("filesystem:"):
        return []
    hint = (
        "Set REDIS_URL, or CELERY_BROKER_URL to another broker, so that web and worker reach each "
        "other from any machine. Nothing is lost without it, only slower."
    )
    text = "The database is a server, but messages travel through files under STATE_DIR."
    return _warning(4, text, hint)


@register(Tags.security)
def state_is_private(**kwargs: Any) -> list[CheckMessage]:
    folder = settings.STATE_DIR
    try:
        mode = stat.S_IMODE(folder.stat().st_mode)
    except OSError:
        return []  # `state_can_be_written` says so.
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return []
    hint = f"Close it, and the files of earlier versions: chmod -R go= {folder}"
    text = f"STATE_DIR {folder} is open to other users of this machine ({mode:04o})."
    return _warning(5, text, hint)


@register()
def neural_network_is_there(**kwargs: Any) -> list[CheckMessage]:
    if settings.INSIGHTS_ANALYSER != "insights.neural.NeuralAnalyser":
        return []
    try:
        load_model()
    except NeuralModelMissing as missing:
        text = f"The rules read the reviews without the neural network: {missing.fault}"
        return _warning(6, text, missing.remedy)
    return []
