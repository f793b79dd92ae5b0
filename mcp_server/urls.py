from django.urls import path

from mcp_server import views

urlpatterns = [
    # Both are served: a redirect would lose the body.
    path("mcp", views.McpView.as_view()),
    path("mcp/", views.McpView.as_view()),
    path("mcp/server-card", views.server_card),
    path(".well-known/ai-catalog.json", views.ai_catalog),
]
