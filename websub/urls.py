from django.urls import path

from websub.views import HubView, StatusView

app_name = "websub"

urlpatterns = [
    path("hub", HubView.as_view(), name="hub"),
    path("status", StatusView.as_view(), name="status"),
]
