"""The administration's front page: facts still missing, guessed passwords, the state of the hub.

It stands here because no app below knows both the hub and the signs of life.
"""

from typing import Any

from django import template
from django.http import HttpRequest

from config.sign_in.selectors import GUESSED_DAYS, guessed_accounts
from core import heartbeat
from reviews.selectors import get_business
from sources import selectors as sources
from websub import formatting
from websub.statistics import WINDOW_HOURS, hub_statistics

register = template.Library()


@register.inclusion_tag("admin/hub_box.html", takes_context=True)
def hub_box(context: template.Context) -> dict[str, Any]:
    """Nothing for those who may not see subscriptions."""
    request: HttpRequest = context["request"]
    if not request.user.has_perm("websub.view_subscription"):
        return {}
    return {
        "figures": hub_statistics(),
        "window_hours": WINDOW_HOURS,
        "may_see_attempts": request.user.has_perm("websub.view_attempt"),
        "signs_of_life": heartbeat.states(),
    }


@register.inclusion_tag("admin/setup_box.html", takes_context=True)
def setup_box(context: template.Context) -> dict[str, Any]:
    """Facts about the business that are still missing, for users who may enter them."""
    request: HttpRequest = context["request"]
    business = get_business()
    if business is not None and business.has_vertical:
        return {}
    permission = "reviews.change_business" if business else "reviews.add_business"
    return {"is_asked": True, "business": business, "may_answer": request.user.has_perm(permission)}


@register.inclusion_tag("admin/sign_in_box.html", takes_context=True)
def sign_in_box(context: template.Context) -> dict[str, Any]:
    """Accounts that were guessed in the last days: the user's own, to superusers all."""
    request: HttpRequest = context["request"]
    return {
        "guessed": guessed_accounts(request.user),
        "days": GUESSED_DAYS,
        "may_see_failures": request.user.has_perm("axes.view_accessfailurelog"),
    }


@register.inclusion_tag("admin/sources_box.html", takes_context=True)
def sources_box(context: template.Context) -> dict[str, Any]:
    """Runs of sources that wait for approval, and alarms, to users who may see sources."""
    request: HttpRequest = context["request"]
    if not request.user.has_perm("sources.view_sourceconnection"):
        return {}
    return {"waiting": sources.waiting_runs(), "alarms": sources.alarms()}


@register.filter
def span(seconds: float | None) -> str:
    return "none" if seconds is None else formatting.format_duration(seconds)
