"""The endpoint `mcp`, the server card, and the catalog; include them at the root of the site."""

from django.urls import path

from mcp_server import views

app_name = "mcp_server"
urlpatterns = [
    path("mcp", views.endpoint, name="endpoint"),
    path("mcp/", views.endpoint),  # Served as well: a redirect would lose the body.
    path("mcp/server-card", views.server_card, name="server-card"),
    path(".well-known/ai-catalog.json", views.ai_catalog, name="ai-catalog"),
]
