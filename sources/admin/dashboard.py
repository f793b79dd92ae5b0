"""Entries of the sources on the front page of the admin."""

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from core.admin.dashboard import Entry, Task
from imports.models import ImportBatch
from imports.templatetags.sentences import translated
from sources import selectors


def entries(request: HttpRequest) -> Iterator[Entry]:
    """Runs that wait for approval, reviews that wait for release, and alarms."""
    user = request.user
    if user.has_perm("sources.change_sourceconnection"):
        for run in selectors.waiting_runs():
            is_asking = run.batch and run.batch.state == ImportBatch.State.CONFIRMING
            yield Task(
                (
                    gettext("%(source)s needs your answers")
                    if is_asking
                    else gettext("%(source)s needs your approval")
                )
                % {"source": run.connection},
                translated(" ".join(run.reasons)),
                reverse("admin:imports_importbatch_change", args=[run.batch_id])
                if is_asking
                else reverse("admin:sources_check", args=[run.connection_id]),
                gettext("Confirm the columns") if is_asking else gettext("View it"),
            )
    if user.has_perm("sources.view_sourceconnection"):
        for alarm in selectors.alarms():
            yield Task(
                alarm.name,
                alarm.sentence,
                reverse("admin:sources_sourceconnection_change", args=[alarm.connection_id]),
                gettext("Open the source"),
                is_trouble=True,
            )
    if user.has_perm("reviews.view_review") and user.has_perm("reviews.hide_review"):
        count = selectors.unreleased_reviews().count()
        if count:
            yield Task(
                ngettext(
                    "%d new review from sources waits for release",
                    "%d new reviews from sources wait for release",
                    count,
                )
                % count,
                gettext(
                    "Nobody sees them until then. Choose them in the list, then “Show to "
                    "the public”."
                ),
                f"{reverse('admin:reviews_review_changelist')}?state=hidden",
                gettext("See the hidden reviews"),
            )
