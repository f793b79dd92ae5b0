"""Confirm the public address of an installation that was started without BASE_URL.

A Host header is not trusted by itself. An administrator confirms the address of the current page.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from config.env import CONFIRMED_ADDRESS, is_origin
from core.admin.dashboard import Task
from core.http.problems import permission_denied
from guarded_http.addresses import is_loopback_host

RESTART_SECONDS = 8


def address_of(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def task(request: HttpRequest) -> Task | None:
    """Return a task for the front page, if published links start with another address."""
    if not settings.MAY_CONFIRM_ADDRESS or not request.user.is_superuser:
        return None
    address = address_of(request)
    if address == settings.BASE_URL or is_loopback_host(urlsplit(address).hostname or ""):
        return None
    title = _("Published links start with %(address)s") % {"address": settings.BASE_URL}
    text = _("You are at %(address)s. Confirm it, or set BASE_URL to the public address.")
    text %= {"address": address}
    return Task(title, text, reverse("public_address"), _("Confirm the address"), is_trouble=True)


@admin.site.admin_view
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest) -> HttpResponse:
    """Show the address of this page. A POST confirms it as the public one and restarts."""
    if not settings.MAY_CONFIRM_ADDRESS:
        raise Http404
    if not request.user.is_superuser:
        return permission_denied(request)
    address = address_of(request)
    context = {**admin.site.each_context(request), "title": _("Public address")}
    context |= {"address": address, "former": settings.BASE_URL, "is_usable": is_origin(address)}
    response = TemplateResponse(request, "admin/public_address.html", context)
    if request.method == "POST" and context["is_usable"]:
        new = CONFIRMED_ADDRESS.with_suffix(".new")
        new.write_text(f"{address}\n", encoding="utf-8")
        new.replace(CONFIRMED_ADDRESS)  # The supervisor of `manage.py up` detects it and restarts.
        context["is_confirmed"] = True
        response.headers["Refresh"] = f"{RESTART_SECONDS}; url={address}{reverse('admin:index')}"
    return response
