"""The dashboard, the front page of the administration, built from contributions of the apps.

The `AppConfig` of an app names a function in its attribute `dashboard`, like
`reviews.admin.dashboard.entries`. It takes the request and yields `Step`, `Task` and `Panel`
objects that this user may see.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.module_loading import import_string


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the setup, listed until all steps are done."""

    title: str | Promise
    text: str | Promise
    url: str
    is_done: bool
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """Work that waits for a person, with a link to its page."""

    title: str | Promise
    text: str | Promise
    url: str  # Empty if there is no page, or the user may not see it.
    link: str | Promise
    is_trouble: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page with its own template."""

    template: str
    context: dict[str, Any]
    is_technical: bool = False  # Shown after the lists.


Entry = Step | Task | Panel


@dataclass(frozen=True, slots=True)
class Dashboard:
    """The dashboard of one user, in the order shown."""

    steps: list[Step]  # Empty if all are done.
    tasks: list[Task]  # Troubles first.
    panels: list[Panel]

    @property
    def can_finish(self) -> bool:
        """Whether only optional steps are left."""
        return all(step.is_done or step.is_optional for step in self.steps)


def dashboard(request: HttpRequest) -> Dashboard:
    """Collect the entries of all apps for the user of a request."""
    found = list(contributions("dashboard", request))
    steps = [entry for entry in found if isinstance(entry, Step)]
    tasks = [entry for entry in found if isinstance(entry, Task)]
    return Dashboard(
        [] if all(step.is_done for step in steps) else steps,
        sorted(tasks, key=lambda task: not task.is_trouble),
        [entry for entry in found if isinstance(entry, Panel)],
    )


def contributions(attribute: str, *args: Any) -> Iterator[Entry]:
    """Entries of all apps that name a function in this attribute."""
    # Reversed: the base apps, which are installed last, contribute the daily work.
    for app in reversed(list(apps.get_app_configs())):
        if path := getattr(app, attribute, None):
            yield from import_string(path)(*args)
