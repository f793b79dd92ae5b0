from django.urls import path

from core.http.headers import HUB_PATH, HUB_STATUS_PATH
from websub.views import HubView, StatusView

urlpatterns = [
    path(HUB_PATH.removeprefix("/"), HubView.as_view()),
    path(HUB_STATUS_PATH.removeprefix("/"), StatusView.as_view()),
]
