"""System checks of the hub; `check --database default` and `migrate` run those that read rows."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004
from django.db import DatabaseError, router

from guarded_http.connect import NoTrustedAuthorities, tls_context
from websub import clock, conf
from websub.models import Subscription, Verification
from websub.topics import topics, versions

SWEEP_TASK = "websub.tasks.sweep_up"
OVERDUE = dt.timedelta(minutes=10)
UNSHARED_CACHES = ("LocMemCache", "DummyCache")  # Each process counts by itself, or none does.


@register()
def settings_name_topics(**kwargs: Any) -> list[CheckMessage]:
    errors: list[CheckMessage] = []
    if not conf.get("BASE_URL").startswith(("http://", "https://")):
        hint = 'Set it to the public address of the site, like "https://blog.example.org".'
        errors.append(Error("BASE_URL is not set.", hint=hint, id="websub.E001"))
    if not conf.get("WEBSUB_TOPICS"):
        hint = "Set it to the dotted path of a function that returns topics; see websub's README."
        errors.append(Error("WEBSUB_TOPICS is not set.", hint=hint, id="websub.E002"))
    for name in ("WEBSUB_TOPICS", "WEBSUB_RATE_LIMITER", "WEBSUB_CLIENT_KEY"):
        try:
            if conf.get(name):
                conf.imported(name)
        except ImportError as error:
            errors.append(Error(f"{name} cannot be imported: {error}", id="websub.E003"))
    if conf.get("WEBSUB_USE_CELERY") and find_spec("celery") is None:
        hint = "Install websub[celery], or run `manage.py websub_worker` instead."
        message = "WEBSUB_USE_CELERY is set, but Celery is not installed."
        errors.append(Error(message, hint=hint, id="websub.E004"))
    return errors


@register(Tags.security)
def callbacks_are_public(**kwargs: Any) -> list[CheckMessage]:
    nets = conf.get("HUB_ALLOW_NETS")
    message = f"The hub may contact callbacks in {', '.join(nets)}, whether or not they are public."
    hint = (
        "HUB_ALLOW_NETS is for tests and for private networks. Anybody who can reach the hub can "
        "have it send requests there; leave it empty on the public internet."
    )
    return [Warning(message, hint=hint, id="websub.W001")] if nets else []


@register(Tags.security)
def certificates_can_be_checked(**kwargs: Any) -> list[CheckMessage]:
    bundle = conf.get("HUB_CA_BUNDLE")
    try:
        tls_context(bundle)
    except NoTrustedAuthorities as missing:
        return [Warning(str(missing), hint="Or set HUB_CA_BUNDLE.", id="websub.W002")]
    except OSError as error:
        why = error.strerror or error
        message = f"The hub cannot read certificate authorities from {bundle}: {why}."
        hint = (
            "Set HUB_CA_BUNDLE to a PEM file that this user may read, or leave it out to trust "
            "those of the system. Until then nothing is delivered."
        )
        return [Warning(message, hint=hint, id="websub.W002")]
    return []


@register(Tags.security, deploy=True)
def requests_are_limited(**kwargs: Any) -> list[CheckMessage]:
    """Find a hub without rate limits, or with limits that processes do not share."""
    if conf.get("WEBSUB_RATE_LIMITER") != conf.DEFAULTS["WEBSUB_RATE_LIMITER"]:
        return []
    rates = conf.get("WEBSUB_RATE_LIMITS")
    if unlimited := [scope for scope in ("hub", "verify") if not rates.get(scope)]:
        message = f"WEBSUB_RATE_LIMITS has no limit for {' and '.join(unlimited)}."
        hint = (
            "Anybody can have the hub send requests to others. Set limits, or name your own "
            "limiter in WEBSUB_RATE_LIMITER."
        )
        return [Warning(message, hint=hint, id="websub.W004")]
    backend = str(settings.CACHES["default"]["BACKEND"])
    if backend.rpartition(".")[2] in UNSHARED_CACHES:
        message = f"The rate limits are not shared by processes, since the cache is {backend}."
        hint = "Use a cache that all processes share: Redis, Memcached or the database."
        return [Warning(message, hint=hint, id="websub.W004")]
    return []


@register(Tags.database)
def sqlite_writes_immediately(**kwargs: Any) -> list[CheckMessage]:
    """Find a SQLite database whose transactions take the write lock too late."""
    database = settings.DATABASES[router.db_for_write(Subscription)]
    mode = str(database.get("OPTIONS", {}).get("transaction_mode", ""))
    if "sqlite3" not in database["ENGINE"] or mode.upper() == "IMMEDIATE":
        return []
    message = "Claims may fail with `database is locked`: SQLite transactions are not IMMEDIATE."
    hint = 'Set DATABASES["default"]["OPTIONS"] = {"transaction_mode": "IMMEDIATE"}.'
    return [Warning(message, hint=hint, id="websub.W005")]


# --- Rows -----------------------------------------------------------------------------------------

RowCheck = Callable[[], Iterator[CheckMessage]]


def check_rows(check: RowCheck) -> Callable[..., list[CheckMessage]]:
    """Register a check that runs where databases may be read, and their tables are there."""

    def run(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
        try:
            return list(check()) if databases else []
        except DatabaseError:
            return []

    return register(run, Tags.database)


@check_rows
def subscriptions_have_topics() -> Iterator[CheckMessage]:
    """Count subscriptions whose topic is not served any more."""
    if orphaned := Subscription.objects.orphaned(topics()).count():
        counted = "1 subscription is" if orphaned == 1 else f"{orphaned:,} subscriptions are"
        yield Warning(
            f"{counted} to topics that are not served under {conf.get('BASE_URL')}, so nothing is "
            "delivered to them.",
            hint="If BASE_URL is right, end them in the administration: WebSub hub, Subscriptions, "
            "state orphaned, End all orphaned subscriptions. Their callbacks are told the new "
            "address. If it is not, set BASE_URL back, and they go on.",
            id="websub.W003",
        )


@check_rows
def something_sweeps() -> Iterator[CheckMessage]:
    """Find rows that a running worker would have dealt with long ago."""
    before = clock.now() - OVERDUE
    is_waiting = Verification.objects.due(before).exists()
    if is_waiting or Subscription.objects.filter(expires_at__lt=before).exists():
        yield Warning(
            "No worker of the hub has run for 10 minutes: requests wait, or leases have ended.",
            hint=f"With Celery, run a worker and schedule {SWEEP_TASK} every few seconds. Without "
            "it, run `manage.py websub_worker`.",
            id="websub.W006",
        )


@check_rows
def versions_rise() -> Iterator[CheckMessage]:
    """Find topics whose version fell below one that was delivered."""
    for topic in Subscription.objects.fallen_versions(versions()):
        yield Warning(
            f"The version of {topic} is lower than one that subscribers have acknowledged, so "
            "they get nothing until it is higher.",
            hint="version() must only rise, also when the content is restored from a backup. "
            '"Resend the newest content" in the administration lets subscribers go on.',
            id="websub.W007",
        )
