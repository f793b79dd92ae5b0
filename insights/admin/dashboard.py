"""Entries of the insights on the administration's front page."""

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from core.admin.dashboard import Entry, Task
from insights import selectors
from insights.neural import NeuralAnalyser


def entries(request: HttpRequest) -> Iterator[Entry]:
    """Yield a task if the neural network cannot be used."""
    if not request.user.has_perm("insights.view_analysisrun"):
        return
    analyser = selectors.analyser()
    if isinstance(analyser, NeuralAnalyser) and analyser.fault:
        yield Task(
            gettext("The rules read the reviews without the neural network"),
            f"{analyser.fault.fault} {analyser.fault.remedy}",
            reverse("admin:insights_analysisrun_changelist"),
            gettext("See the analysis runs"),
            is_trouble=True,
        )
