"""Entries of the installation on the front page of the admin: setup, backups, sign-ins, the hub."""

import datetime as dt
from collections.abc import Iterator
from urllib.parse import urlencode

from axes.models import AccessFailureLog
from django.contrib.auth.models import User
from django.db.models import Count, Max
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from config import health, public_address, scheduled_backups, setup
from core.admin.dashboard import Entry, Panel, Task
from websub.formatting import format_duration
from websub.statistics import WINDOW_HOURS, hub_statistics

GUESSED_DAYS = 7
GUESSED_FAILURES = 20  # More than a user who has forgotten the password.
MAX_GUESSED = 5


def entries(request: HttpRequest) -> Iterator[Entry]:
    """Steps of the setup, tasks of the installation, and the figures of the hub."""
    yield from setup.steps(request)
    if task := public_address.task(request):
        yield task
    if request.user.is_superuser and scheduled_backups.state() in {"failed", "late"}:
        error = scheduled_backups.newest_error()
        title = (
            gettext("The backup failed")
            if error
            else gettext("No backup has been made for more than a day")
        )
        advice = gettext(
            "It is tried again every hour. Until one succeeds, nothing new is backed up."
        )
        yield Task(title, f"{error} {advice}".strip(), "", "", is_trouble=True)
    yield from _guessed_passwords(request)
    if request.user.has_perm("websub.view_subscription"):
        figures = hub_statistics()
        subscriptions = reverse("admin:websub_subscription_changelist")
        if count := figures.failing:
            yield Task(
                ngettext(
                    "%d subscriber does not accept deliveries",
                    "%d subscribers do not accept deliveries",
                    count,
                )
                % count,
                gettext(
                    "Each delivery is tried again. A subscriber is removed after three "
                    "failures in a row."
                ),
                f"{subscriptions}?state=failing",
                gettext("See why"),
                is_trouble=True,
            )
        yield Panel(
            "admin/hub_box.html",
            {
                "figures": figures,
                "oldest_due": _in_words(figures.oldest_due_seconds),
                "median_latency": _in_words(figures.median_seconds),
                "window_hours": WINDOW_HOURS,
                "may_see_attempts": request.user.has_perm("websub.view_attempt"),
                "heartbeats": health.component_states(),
            },
            is_technical=True,
        )


def _in_words(seconds: float | None) -> str:
    return gettext("none") if seconds is None else format_duration(seconds)


def _guessed_passwords(request: HttpRequest) -> Iterator[Task]:
    """Accounts with many failed sign-ins in the last days.

    Superusers see all accounts, other users only their own.
    """
    seen = User.objects.all()
    if not request.user.is_superuser:
        seen = seen.filter(username=request.user.get_username())
    since = timezone.now() - dt.timedelta(days=GUESSED_DAYS)
    rows = AccessFailureLog.objects.filter(
        attempt_time__gt=since, username__in=seen.values("username")
    )
    accounts = rows.order_by().values("username").annotate(count=Count("pk"))
    accounts = accounts.annotate(last_at=Max("attempt_time")).filter(count__gte=GUESSED_FAILURES)
    page = reverse("admin:axes_accessfailurelog_changelist")
    may_see_failures = request.user.has_perm("axes.view_accessfailurelog")
    for account in accounts.order_by("-count")[:MAX_GUESSED]:
        name, last = account["username"], timezone.localtime(account["last_at"])
        yield Task(
            gettext("%(failures)d sign-ins as %(name)s failed in the last %(days)d days")
            % {"failures": account["count"], "name": name, "days": GUESSED_DAYS},
            gettext(
                "The last was on %(day)s. If it was not you, somebody is guessing the "
                "password. Use a long one that you use on no other site."
            )
            % {"day": date_format(last, "DATETIME_FORMAT")},
            f"{page}?{urlencode({'q': name})}" if may_see_failures else "",
            gettext("See the failed sign-ins"),
            is_trouble=True,
        )
