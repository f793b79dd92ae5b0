"""One include per app."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from config import health, public_address
from core import heartbeat
from core.logging import hide_secret_paths
from website.languages import in_each_language
from website.status import StatusView, status_json

urlpatterns: list[URLPattern | URLResolver] = [
    # First what is requested most: each pattern that does not match takes its time.
    path("", include("reviews.api.urls")),
    path("", include("mcp_server.urls")),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", include("sign_in.urls")),
    path("admin/", include("notifications.admin_urls")),
    path("admin/address/", public_address.confirm, name="public_address"),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    *in_each_language("status", StatusView.as_view(heartbeats=health.parts), "status"),
    path("status.json", status_json, {"heartbeats": health.parts}),
    path("", include("insights.urls")),
    path("", include("feeds.urls")),
    path("", include("embed.urls")),
    path("", include("publishing.urls")),  # Every document, described in OpenAPI or not.
    path("api/websub/", include("websub.urls")),
    path("api/sources/", include("sources.urls")),
    path("", include("notifications.urls")),
    path("", include("website.urls")),
]

if settings.METRICS_TOKEN:
    from metrics.exposition import metrics  # (needs prometheus-client, which nothing else does)

    urlpatterns.append(path("metrics", metrics, {"heartbeats": heartbeat.states}))

hide_secret_paths(urlpatterns)

handler400 = "core.http.problems.bad_request"
handler403 = "core.http.problems.permission_denied"
handler404 = "core.http.problems.not_found"
handler500 = "core.http.problems.server_error"
