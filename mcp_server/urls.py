"""URLs of the endpoint `mcp` and the server card; include them at the root."""

from django.urls import path
from django.utils.module_loading import autodiscover_modules

from mcp_server import views

autodiscover_modules("mcp")

app_name = "mcp_server"
urlpatterns = [
    path("mcp", views.endpoint, name="endpoint"),
    path("mcp/", views.endpoint),  # A redirect would lose the body.
    path("mcp/server-card", views.server_card, name="server-card"),
]
