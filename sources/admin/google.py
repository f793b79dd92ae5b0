"""Pages to grant access to a Google account and choose locations."""

import secrets

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext

from sources import services
from sources.client import SourceClient, SourceFailure
from sources.google_oauth import GoogleAccount, authorization_url
from sources.models import SourceConnection
from sources.selectors import readable_secrets

KIND = "google_business_profile"
GRANT = "google_grant"  # Session key of the state that the callback must match.
CANNOT = "Enter the client id and the client secret first, and save the source."


def urls() -> list[URLPattern]:
    wrap = admin.site.admin_view
    return [
        path("google/", wrap(callback), name="sources_google_callback"),
        path("<int:pk>/google/", wrap(connect), name="sources_google_connect"),
        path("<int:pk>/google/locations/", wrap(locations), name="sources_google_locations"),
    ]


def connect(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect the owner to the consent page of Google."""
    connection = _connection(request, pk)
    if not readable_secrets(connection).get("client_secret"):
        return _back(request, connection, CANNOT)
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(64)
    request.session[GRANT] = {"connection": pk, "state": state, "verifier": verifier}
    client_id = connection.settings["client_id"]
    return redirect(
        authorization_url(client_id, redirect_uri=redirect_uri(), state=state, verifier=verifier)
    )


def callback(request: HttpRequest) -> HttpResponse:
    """Exchange the code from Google for a refresh token, and store it."""
    grant = request.session.pop(GRANT, None)
    state = request.GET.get("state", "").encode()
    if not grant or not secrets.compare_digest(grant["state"].encode(), state):
        messages.error(
            request,
            "This answer of Google belongs to no request of yours. Open the source and choose "
            "“Connect with Google” again.",
        )
        return redirect("admin:sources_sourceconnection_changelist")
    connection = _connection(request, grant["connection"])
    code = request.GET.get("code", "")
    if request.GET.get("error") or not code:
        return _back(request, connection, "Google was not allowed to give access.")
    try:
        token = _account(connection).refresh_token(
            code=code, verifier=grant["verifier"], redirect_uri=redirect_uri()
        )
    except SourceFailure as failure:
        return _back(request, connection, str(failure))
    services.store_grant(connection, token)
    return redirect("admin:sources_google_locations", pk=connection.pk)


def locations(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose from the locations that the grant covers."""
    connection = _connection(request, pk)
    if not readable_secrets(connection).get("refresh_token"):
        return _back(request, connection, "Connect the source with Google first.")
    try:
        account = _account(connection)
        account.sign_in()
        offered = account.locations()
    except SourceFailure as failure:
        return _back(request, connection, str(failure))
    if request.method == "POST":
        posted = set(request.POST.getlist("locations"))
        if chosen := [name for name, _ in offered if name in posted]:
            services.choose_locations(connection, chosen)
            services.preview_now(connection)
            return redirect("admin:sources_check", pk=connection.pk)
        messages.error(request, gettext("Choose at least one location."))
    context = admin.site.each_context(request) | {
        "opts": SourceConnection._meta,
        "original": connection,
        "title": "Choose your locations",
        "offered": offered,
        "chosen": connection.settings.get("locations", [offered[0][0]] if offered else []),
    }
    return TemplateResponse(request, "admin/sources/sourceconnection/locations.html", context)


def _connection(request: HttpRequest, pk: int) -> SourceConnection:
    connection = get_object_or_404(SourceConnection, pk=pk, kind=KIND)
    if not request.user.has_perm("sources.change_sourceconnection"):
        raise PermissionDenied
    return connection


def _account(connection: SourceConnection) -> GoogleAccount:
    return GoogleAccount(SourceClient(), connection.settings, readable_secrets(connection))


def _back(request: HttpRequest, connection: SourceConnection, sentence: str) -> HttpResponse:
    messages.error(request, sentence)
    return redirect("admin:sources_sourceconnection_change", connection.pk)


def redirect_uri() -> str:
    """Return the authorised redirect URI, which the owner enters at Google."""
    return f"{settings.BASE_URL}{reverse('admin:sources_google_callback')}"
