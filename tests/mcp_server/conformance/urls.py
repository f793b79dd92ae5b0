from django.urls import path

from config.urls import urlpatterns as service
from tests.mcp_server.conformance.serving import ConformanceView

urlpatterns = [path("mcp", ConformanceView.as_view()), *service]
