"""Alarms of sources, work that waits for an administrator, and push addresses."""

import datetime as dt
import itertools
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from core.secrets import SecretLost
from reviews.models import Review
from reviews.models.review import HELD
from sources.connectors import connector_of
from sources.models import SourceConnection, SourceRun

FAILING_FOR = dt.timedelta(days=1)
SHRUNK_SHARE = 0.8
SILENT_TIMES = 4
MIN_SILENCE = dt.timedelta(days=2)
MIN_DAYS = 5  # Days with reviews that are needed to estimate the usual gap.
MAX_DAYS = 20
TOKEN = "token"  # noqa: S105  (the name of the secret, not a secret)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A problem of a source: a code for programs, and a sentence with the remedy."""

    connection_id: int
    name: str
    code: str  # failing, stopped, pages, fewer, silent
    sentence: str


def sources_status() -> dict[str, Any]:
    """Return figures on all sources that are not paused, without names and addresses.

    The ages are the times since the last poll.
    """
    watched = list(_watched())
    ages = [timezone.now() - each.last_look_at for each in watched if each.last_look_at]
    seconds = [round(age.total_seconds(), 3) for age in ages]
    return {
        "active": len(watched),
        "failing": sum(each.failing_since is not None for each in watched),
        "alarms": sum(1 for each in watched for _ in alarms_of(each)),
        "waiting_for_approval": waiting_runs().count(),
        "newest_look_seconds": min(seconds, default=None),
        "oldest_look_seconds": max(seconds, default=None),
    }


def change_summary(new: int, changed: int, hidden: int) -> str:
    """Return the numbers of changes as words."""
    words = gettext("%(new)d new, %(changed)d changed, %(hidden)d hidden")
    return words % {"new": new, "changed": changed, "hidden": hidden}


def waiting_runs() -> QuerySet[SourceRun]:
    """Runs that wait for approval, the oldest first."""
    waiting = SourceRun.objects.filter(state=SourceRun.State.WAITING)
    return waiting.select_related("connection", "batch").defer("content").order_by("pk")


def unreleased_reviews() -> QuerySet[Review]:
    """New reviews that a source holds until an administrator releases them."""
    return Review.objects.filter(HELD, created_by_batch__source_run__isnull=False)


def alarms() -> list[Alarm]:
    """The alarms of all sources that are not paused."""
    return [alarm for connection in _watched() for alarm in alarms_of(connection)]


def _watched() -> QuerySet[SourceConnection]:
    return SourceConnection.objects.exclude(state=SourceConnection.State.PAUSED)


def alarms_of(connection: SourceConnection) -> Iterator[Alarm]:
    now = timezone.now()

    def alarm(code: str, sentence: str) -> Alarm:
        return Alarm(connection.pk, connection.name, code, sentence)

    since = connection.failing_since
    if connection.state == SourceConnection.State.STOPPED:
        sentence = gettext("Stopped until you resume it. %(error)s")
        yield alarm("stopped", sentence % {"error": connection.last_error})
    elif since and now - since >= FAILING_FOR:
        sentence = gettext("Failing since %(day)s. %(error)s")
        day = date_format(since, "j F Y")
        yield alarm("failing", sentence % {"day": day, "error": connection.last_error})
    if missing := connection.fetch_state.get("missing"):
        yield alarm("pages", missing)
    if connection.last_rows < SHRUNK_SHARE * connection.most_rows:
        yield alarm(
            "fewer",
            gettext(
                "The source lists %(last)d reviews; it has listed %(most)d. Nothing was "
                "hidden. Check whether a page or an earlier period is missing there, or "
                "accept the number."
            )
            % {"last": connection.last_rows, "most": connection.most_rows},
        )
    days = _days(connection)
    if len(days) >= MIN_DAYS:
        gaps = [(later - earlier).days for later, earlier in itertools.pairwise(days)]
        gap, silence = dt.timedelta(days=statistics.median(gaps)), now.date() - days[0]
        if silence > max(SILENT_TIMES * gap, MIN_SILENCE):
            yield alarm(
                "silent",
                gettext(
                    "No new review since %(day)s (%(silence)d days); usually one arrives "
                    "within %(gap)d days. Check whether the source still has the newest."
                )
                % {
                    "day": date_format(days[0], "j F Y"),
                    "silence": silence.days,
                    "gap": max(1, gap.days),
                },
            )


def _days(connection: SourceConnection) -> list[dt.date]:
    """The last days on which reviews of this source were written, newest first."""
    reviews = Review.objects.filter(created_by_batch__source_run__connection=connection)
    days = reviews.order_by("-date").values_list("date", flat=True).distinct()
    return list(days[:MAX_DAYS])


# --- Addresses of pushes --------------------------------------------------------------------------


def readable_secrets(connection: SourceConnection) -> dict[str, str]:
    """Return the stored secrets, or {} if no key decrypts them."""
    try:
        return connection.secrets
    except SecretLost:
        return {}


def push_address(connection: SourceConnection) -> str:
    """Return the public address for pushes, or "" if the connector takes no pushes."""
    token = readable_secrets(connection).get(TOKEN)
    if not (connector_of(connection).takes_posts and token and connection.pk):
        return ""
    return f"{settings.BASE_URL}{reverse('sources:receive', args=[connection.pk, token])}"
