"""Contributions of the installation to the administration's front page: sign-ins and the hub.

It stands here because no app below knows both the hub and the signs of life.
"""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from config.sign_in.selectors import GUESSED_DAYS, guessed_accounts
from core import heartbeat
from core.admin.dashboard import Entry, Panel, Task
from websub.statistics import WINDOW_HOURS, hub_statistics


def entries(request: HttpRequest) -> Iterator[Entry]:
    """Guessed passwords, failing subscribers, and the figures of the hub."""
    yield from _guessed_passwords(request)
    if request.user.has_perm("websub.view_subscription"):
        figures = hub_statistics()
        subscriptions = reverse("admin:websub_subscription_changelist")
        if figures.failing:
            are = "subscriber does" if figures.failing == 1 else "subscribers do"
            yield Task(
                f"{figures.failing} {are} not take deliveries",
                "Each is tried again, and removed after the third failure in a row.",
                f"{subscriptions}?state=failing",
                "See why",
                is_trouble=True,
            )
        if figures.suspended:
            are = "subscription is" if figures.suspended == 1 else "subscriptions are"
            yield Task(
                f"{figures.suspended} {are} set aside",
                "An error of this installation holds its deliveries back.",
                f"{subscriptions}?state=set+aside",
                "See why",
                is_trouble=True,
            )
        yield Panel(
            "admin/hub_box.html",
            {
                "figures": figures,
                "window_hours": WINDOW_HOURS,
                "may_see_attempts": request.user.has_perm("websub.view_attempt"),
                "signs_of_life": heartbeat.states(),
            },
            is_technical=True,
        )


def _guessed_passwords(request: HttpRequest) -> Iterator[Task]:
    """Accounts that were guessed in the last days: the user's own, to superusers all."""
    may_see_failures = request.user.has_perm("axes.view_accessfailurelog")
    for account in guessed_accounts(request.user):
        name, last = account["username"], timezone.localtime(account["last_at"])
        failures = reverse("admin:axes_accessfailurelog_changelist")
        yield Task(
            f"{account['failures']} sign-ins as {name} failed in the last {GUESSED_DAYS} days",
            f"The last on {date_format(last, 'DATETIME_FORMAT')}. If it was not you, somebody "
            "guesses the password. Use a long one that no other site knows.",
            f"{failures}?{urlencode({'q': name})}" if may_see_failures else "",
            "See the failed sign-ins",
            is_trouble=True,
        )
