"""Tags of the administration's front page."""

from django import template
from django.http import HttpRequest

from core.admin.dashboard import Dashboard, dashboard
from websub import formatting

register = template.Library()


@register.simple_tag(takes_context=True, name="dashboard")
def dashboard_of_user(context: template.Context) -> Dashboard:
    """Work that waits for the user of the page, and figures."""
    request: HttpRequest = context["request"]
    return dashboard(request)


@register.filter
def span(seconds: float | None) -> str:
    return "none" if seconds is None else formatting.format_duration(seconds)
