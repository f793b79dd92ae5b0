"""Entries of the notifications on the front page of the admin."""

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from core.admin.dashboard import Entry, Task
from notifications.models import Endpoint


def entries(request: HttpRequest) -> Iterator[Entry]:
    """Webhooks that were disabled."""
    if not request.user.has_perm("notifications.view_endpoint"):
        return
    for endpoint in Endpoint.objects.exclude(disabled_reason=""):
        yield Task(
            _("The webhook “%(name)s” was disabled") % {"name": endpoint.name},
            endpoint.disabled_reason,
            reverse("admin:notifications_endpoint_change", args=[endpoint.pk]),
            _("Open the webhook"),
            is_trouble=True,
        )
