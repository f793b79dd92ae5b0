"""Entries of imports on the front page of the administration."""

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from core.admin.dashboard import Entry, Task
from imports.models import ImportBatch

State = ImportBatch.State
LISTED = 5


def entries(request: HttpRequest) -> Iterator[Entry]:
    """Uploaded files that wait for a person; sources list their own."""
    if not request.user.has_perm("imports.add_importbatch"):
        return
    waiting = ImportBatch.objects.filter(
        created_by__isnull=False, state__in=[State.CONFIRMING, State.PREVIEWED]
    )
    for batch in waiting.order_by("pk")[:LISTED]:
        is_asking = batch.state == State.CONFIRMING
        title = (
            _("The import %(file)s needs your answers")
            if is_asking
            else _("The import %(file)s needs your decision")
        )
        counts = {"new": batch.new, "changed": batch.changed, "rejected": batch.rejected}
        yield Task(
            title % {"file": Truncator(batch.file_name).chars(60)},
            _("Say once what its columns mean. None of it is public yet.")
            if is_asking
            else _("%(new)d new, %(changed)d changed, %(rejected)d rejected.") % counts,
            reverse("admin:imports_importbatch_change", args=[batch.pk]),
            _("Confirm the columns") if is_asking else _("View the preview"),
        )
