"""System checks of the hub; `check --database default` and `migrate` also run those on rows."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
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
UNSHARED_CACHES = ("LocMemCache", "DummyCache")  # Each process counts by itself, or not at all.

Check = Callable[[], Iterator[CheckMessage]]


@register()
def settings_are_right(**kwargs: Any) -> list[CheckMessage]:
    """Report settings with an invalid value or an unknown name."""
    errors = list(conf.setting_errors(*conf.SETTINGS))
    for name in sorted(set(dir(settings)) - set(conf.SETTINGS)):
        if name.startswith("WEBSUB_"):
            near = get_close_matches(name, conf.SETTINGS, n=1)
            hint = f"Did you mean {near[0]}?" if near else "Leave it out."
            errors.append(Error(f"{name} is no setting of websub.", hint=hint, id="websub.E002"))
    return errors


def check(*tags: str, reads_rows: bool = False, **options: bool) -> Callable[[Check], Any]:
    """Register a check that runs only with valid settings and readable rows."""

    def decorate(find: Check) -> Any:
        def run(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
            if (reads_rows and not databases) or any(conf.setting_errors(*conf.SETTINGS)):
                return []
            try:
                return list(find())
            except DatabaseError:  # The tables may not exist yet.
                return []

        return register(run, *tags, **options)

    return decorate


@check()
def settings_fit_together() -> Iterator[CheckMessage]:
    if conf.get("WEBSUB_LEASE_MIN_SECONDS") > conf.get("WEBSUB_LEASE_MAX_SECONDS"):
        message = "WEBSUB_LEASE_MIN_SECONDS is more than WEBSUB_LEASE_MAX_SECONDS."
        yield Error(message, hint="Lower the first one.", id="websub.E003")
    if conf.get("WEBSUB_USE_CELERY") and find_spec("celery") is None:
        hint = "Install Celery, or run `manage.py websub_worker` instead."
        message = "WEBSUB_USE_CELERY is set, but Celery is not installed."
        yield Error(message, hint=hint, id="websub.E004")


@check(Tags.security)
def callbacks_are_public() -> Iterator[CheckMessage]:
    nets, is_http = conf.get("WEBSUB_ALLOWED_NETWORKS"), conf.get("WEBSUB_ALLOW_HTTP")
    if nets:
        how = "public, and by plain http" if is_http else "public"
        yield Warning(
            f"The hub may contact callbacks in {', '.join(nets)}, whether or not they are {how}.",
            hint="WEBSUB_ALLOWED_NETWORKS is for tests and for private networks. Anybody who can "
            "reach the hub can have it send requests there; leave it empty on the public internet.",
            id="websub.W001",
        )
    elif is_http:
        yield Warning(
            "WEBSUB_ALLOW_HTTP allows nothing, since WEBSUB_ALLOWED_NETWORKS is empty.",
            hint="Name the networks of callbacks that may be plain http, or leave it out.",
            id="websub.W001",
        )


@check(Tags.security)
def certificates_can_be_checked() -> Iterator[CheckMessage]:
    bundle = str(conf.get("WEBSUB_CA_BUNDLE"))
    try:
        tls_context(bundle)
    except NoTrustedAuthorities as missing:
        yield Warning(str(missing), hint="Or set WEBSUB_CA_BUNDLE.", id="websub.W002")
    except OSError as error:
        why = error.strerror or error
        yield Warning(
            f"The hub cannot read certificate authorities from {bundle}: {why}.",
            hint="Set WEBSUB_CA_BUNDLE to a PEM file that this user may read, or leave it out to "
            "trust those of the system. Until then nothing is delivered.",
            id="websub.W002",
        )


@check(Tags.security, deploy=True)
def requests_are_limited() -> Iterator[CheckMessage]:
    """Warn about missing rate limits, and about limits that processes do not share."""
    if conf.get("WEBSUB_RATE_LIMITER") != conf.SETTINGS["WEBSUB_RATE_LIMITER"].default:
        return
    rates = conf.get("WEBSUB_RATE_LIMITS")
    backend = str(settings.CACHES["default"]["BACKEND"])
    if unlimited := [scope for scope in ("hub", "verify") if not rates.get(scope)]:
        yield Warning(
            f"WEBSUB_RATE_LIMITS has no limit for {' and '.join(unlimited)}.",
            hint="Anybody can have the hub send requests to others. Set limits, or name your own "
            "limiter in WEBSUB_RATE_LIMITER.",
            id="websub.W004",
        )
    elif backend.rpartition(".")[2] in UNSHARED_CACHES:
        yield Warning(
            f"The rate limits are not shared by processes, since the cache is {backend}.",
            hint="Use a cache that all processes share: Redis, Memcached or the database.",
            id="websub.W004",
        )


@check(Tags.database)
def sqlite_writes_immediately() -> Iterator[CheckMessage]:
    """Warn about SQLite transactions that take the write lock too late."""
    database = settings.DATABASES[router.db_for_write(Subscription)]
    mode = str(database.get("OPTIONS", {}).get("transaction_mode", ""))
    if "sqlite3" in database["ENGINE"] and mode.upper() != "IMMEDIATE":
        yield Warning(
            "Claims may fail with `database is locked`: SQLite transactions are not IMMEDIATE.",
            hint='Set DATABASES["default"]["OPTIONS"] = {"transaction_mode": "IMMEDIATE"}.',
            id="websub.W005",
        )


@check(Tags.database, reads_rows=True)
def subscriptions_have_topics() -> Iterator[CheckMessage]:
    """Warn about subscriptions whose topic is no longer served."""
    if orphaned := Subscription.objects.active().exclude(topic__in=topics()).count():
        counted = "1 subscription is" if orphaned == 1 else f"{orphaned:,} subscriptions are"
        yield Warning(
            f"{counted} to topics that are not served under {conf.get('WEBSUB_BASE_URL')}, so "
            "nothing is delivered to them.",
            hint="If that address is right, remove them in the administration: WebSub hub, "
            "Subscriptions, state orphaned, select all, Remove. Their callbacks are told the new "
            "address. If it is not, set it back, and they go on.",
            id="websub.W003",
        )


@check(Tags.database, reads_rows=True)
def worker_runs() -> Iterator[CheckMessage]:
    """Warn about rows that a running worker would have processed long ago."""
    before = clock.now() - OVERDUE
    is_waiting = Verification.objects.due(before).exists()
    if is_waiting or Subscription.objects.filter(expires_at__lt=before).exists():
        yield Warning(
            "No worker of the hub has run for 10 minutes: requests wait, or leases have ended.",
            hint=f"With Celery, run a worker and schedule {SWEEP_TASK} every few seconds. Without "
            "it, run `manage.py websub_worker`.",
            id="websub.W006",
        )


@check(Tags.database, reads_rows=True)
def versions_rise() -> Iterator[CheckMessage]:
    """Warn about topics whose version is lower than a delivered one."""
    active = Subscription.objects.active()
    for topic, version in versions().items():
        if active.filter(topic=topic, acknowledged_version__gt=version).exists():
            yield Warning(
                f"The version of {topic} is lower than one that subscribers have acknowledged, so "
                "they get nothing until it is higher.",
                hint="version() must only rise, also when the content is restored from a backup. "
                '"Resend the newest content" in the administration lets subscribers go on.',
                id="websub.W007",
            )
