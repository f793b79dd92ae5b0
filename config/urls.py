"""URLs of all apps."""

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
    # The most requested paths come first, since each pattern before them takes time.
    path("", include("reviews.api.urls")),
    path("", include("mcp_server.urls")),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", include("sign_in.urls")),
    path("admin/", include("notifications.admin_urls")),
    path("admin/address/", public_address.confirm, name="public_address"),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    *in_each_language("status", StatusView.as_view(heartbeats=health.component_states), "status"),
    path("status.json", status_json, {"heartbeats": health.component_states}),
    path("", include("insights.urls")),
    path("", include("feeds.urls")),
    path("", include("embed.urls")),
    path("", include("publishing.urls")),  # All published documents.
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
