"""Pages on which an owner grants access to Google, and chooses locations."""

import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from sources import google_oauth, services
from sources.client import SourceClient
from sources.failures import SourceFailure
from sources.models import SourceConnection
from sources.selectors import readable_secrets

if TYPE_CHECKING:
    Base = admin.ModelAdmin[SourceConnection]
else:
    Base = object

KIND = "google_business_profile"
GRANT = "google_grant"  # In the session: what the answer of Google must match.
CANNOT = "Enter the client id and the client secret first, and save the source."


class GoogleGrantAdmin(Base):
    """The pages between a source and Google: connect, come back, choose locations."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("google/", wrap(self.google_callback), name="sources_google_callback"),
            path("<int:pk>/google/", wrap(self.google_connect), name="sources_google_connect"),
            path(
                "<int:pk>/google/locations/",
                wrap(self.google_locations),
                name="sources_google_locations",
            ),
            *super().get_urls(),
        ]

    def google_connect(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send the owner to Google."""
        connection = self._google_connection(request, pk)
        if not readable_secrets(connection).get("client_secret"):
            return self._back(request, connection, CANNOT)
        state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(64)
        request.session[GRANT] = {"connection": pk, "state": state, "verifier": verifier}
        return HttpResponseRedirect(
            google_oauth.authorization_url(
                connection.settings["client_id"],
                redirect_uri=redirect_uri(),
                state=state,
                verifier=verifier,
            )
        )

    def google_callback(self, request: HttpRequest) -> HttpResponse:
        """Take what Google answers, and keep the grant."""
        grant = request.session.pop(GRANT, None)
        if not grant or not secrets.compare_digest(
            grant["state"].encode(), request.GET.get("state", "").encode()
        ):
            self.message_user(
                request,
                "This answer of Google belongs to no request of yours. Open the source and choose "
                "“Connect with Google” again.",
                messages.ERROR,
            )
            return redirect("admin:sources_sourceconnection_changelist")
        connection = self._google_connection(request, grant["connection"])
        code = request.GET.get("code", "")
        if request.GET.get("error") or not code:
            return self._back(request, connection, "Google was not allowed to give access.")
        try:
            token = google_oauth.refresh_token(
                SourceClient(),
                connection.settings,
                readable_secrets(connection),
                code=code,
                verifier=grant["verifier"],
                redirect_uri=redirect_uri(),
            )
        except SourceFailure as failure:
            return self._back(request, connection, str(failure))
        services.store_grant(connection, token)
        return redirect("admin:sources_google_locations", pk=connection.pk)

    def google_locations(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Choose among the locations that the grant reaches."""
        connection = self._google_connection(request, pk)
        kept = readable_secrets(connection)
        if not kept.get("refresh_token"):
            return self._back(request, connection, "Connect the source with Google first.")
        client = SourceClient()
        try:
            token = google_oauth.access_token(client, connection.settings, kept)
            offered = google_oauth.locations(client, token)
        except SourceFailure as failure:
            return self._back(request, connection, str(failure))
        if request.method == "POST":
            chosen = set(request.POST.getlist("locations"))
            locations = [name for name, _ in offered if name in chosen]
            if locations:
                services.choose_locations(connection, locations)
                services.check_now(connection)
                return redirect("admin:sources_check", pk=connection.pk)
            self.message_user(request, "Choose at least one location.", messages.ERROR)
        context = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "original": connection,
            "title": "Choose your locations",
            "offered": offered,
            "chosen": connection.settings.get("locations", [offered[0][0]] if offered else []),
        }
        return TemplateResponse(request, "admin/sources/sourceconnection/locations.html", context)

    def _google_connection(self, request: HttpRequest, pk: int) -> SourceConnection:
        connection = get_object_or_404(SourceConnection, pk=pk, kind=KIND)
        if not self.has_change_permission(request, connection):
            raise PermissionDenied
        return connection

    def _back(
        self, request: HttpRequest, connection: Any, sentence: str, level: int = messages.ERROR
    ) -> HttpResponse:
        self.message_user(request, sentence, level)
        return redirect("admin:sources_sourceconnection_change", connection.pk)


def redirect_uri() -> str:
    """The address to enter at Google as an authorised redirect URI."""
    return f"{settings.BASE_URL}{reverse('admin:sources_google_callback')}"
