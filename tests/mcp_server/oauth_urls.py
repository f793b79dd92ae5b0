"""Addresses of a project whose server is a protected resource of OAuth."""

from django.urls import include, path

urlpatterns = [path("", include("mcp_server.oauth")), path("", include("mcp_server.urls"))]
