from django.urls import path

from mcp_server import PATHS, views

urlpatterns = [
    *(path(each.removeprefix("/"), views.McpView.as_view()) for each in PATHS),
    path("mcp/server-card", views.server_card),
    path(".well-known/ai-catalog.json", views.ai_catalog),
]
