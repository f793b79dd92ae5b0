"""Panel with the findings of the open review in the inbox."""

from collections.abc import Iterator

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.admin.dashboard import Panel
from insights.findings import Kind, load
from insights.models import ReviewAnalysis
from insights.selectors import current_inputs
from reviews.models import Review

HEADINGS: dict[Kind, Promise] = {
    "aspects": _("Aspects"),
    "problems": _("Problems"),
    "technicians": _("People named"),
}
LABELS = {"positive": _("praised"), "neutral": _("mentioned"), "negative": _("criticised")}


def panels(request: HttpRequest, review: Review) -> Iterator[Panel]:
    """Yield a panel with the aspects, problems and people that the review mentions."""
    if not request.user.has_perm("insights.view_reviewanalysis"):
        return
    analysis = ReviewAnalysis.objects.filter(review=review).first()
    if analysis is None:
        return
    names, findings = current_inputs().names, load(analysis.record)
    groups = []
    for kind, heading in HEADINGS.items():
        known = names.of(kind)
        found = [
            (known[each.id], _("solved") if each.resolved else LABELS[each.label], each.label)
            for each in findings.opinions(kind)
            if each.id in known
        ]
        groups += [(heading, found)] if found else []
    yield Panel(
        "admin/insights/reviewanalysis/inbox.html", {"groups": groups, "analysis": analysis}
    )
