"""URLs of a project whose MCP server is an OAuth protected resource."""

from django.urls import include, path

urlpatterns = [path("", include("mcp_server.oauth")), path("", include("mcp_server.urls"))]
