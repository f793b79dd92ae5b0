"""How the hub is doing, on the administration's front page.

It stands here because no app below knows both the hub and the signs of life.
"""

from typing import Any

from django import template
from django.http import HttpRequest

from config import heartbeat
from websub import spans
from websub.figures import WINDOW_HOURS, hub_figures

register = template.Library()


@register.inclusion_tag("admin/hub_box.html", takes_context=True)
def hub_box(context: template.Context) -> dict[str, Any]:
    """Nothing for those who may not see subscriptions."""
    request: HttpRequest = context["request"]
    if not request.user.has_perm("websub.view_subscription"):
        return {}
    return {
        "figures": hub_figures(),
        "window_hours": WINDOW_HOURS,
        "may_see_attempts": request.user.has_perm("websub.view_attempt"),
        "signs_of_life": heartbeat.states(),
    }


@register.filter
def span(seconds: float | None) -> str:
    return "none" if seconds is None else spans.say(seconds)
