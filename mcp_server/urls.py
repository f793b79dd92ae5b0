"""The endpoint `mcp` and the server card; include them at the root of the site."""

from django.urls import path
from django.utils.module_loading import autodiscover_modules

from mcp_server import views

autodiscover_modules("mcp")

app_name = "mcp_server"
urlpatterns = [
    path("mcp", views.endpoint, name="endpoint"),
    path("mcp/", views.endpoint),  # Served as well: a redirect would lose the body.
    path("mcp/server-card", views.server_card, name="server-card"),
]
