"""Contributions of the imports to the administration's front page."""

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
    """Imports that wait for a person."""
    if request.user.has_perm("imports.add_importbatch"):
        yield from _waiting_imports()


def _waiting_imports() -> Iterator[Task]:
    """Uploaded files that wait for answers or a decision; those of sources are listed as runs."""
    waiting = ImportBatch.objects.filter(
        created_by__isnull=False, state__in=[State.CONFIRMING, State.PREVIEWED]
    )
    for batch in waiting.order_by("pk")[:LISTED]:
        is_asking = batch.state == State.CONFIRMING
        title = (
            _("The import %(file)s waits for your answers")
            if is_asking
            else _("The import %(file)s waits for your decision")
        )
        counts = {"new": batch.new, "changed": batch.changed, "rejected": batch.rejected}
        yield Task(
            title % {"file": Truncator(batch.file_name).chars(60)},
            _("Say once what its columns mean; nothing of it is public yet.")
            if is_asking
            else _("%(new)d new, %(changed)d changed, %(rejected)d rejected.") % counts,
            reverse("admin:imports_importbatch_change", args=[batch.pk]),
            _("Confirm the columns") if is_asking else _("Look at the preview"),
        )
