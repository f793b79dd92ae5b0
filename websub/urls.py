from django.urls import path

from reviews.public_headers import HUB_PATH
from websub.views import HubView

urlpatterns = [path(HUB_PATH.removeprefix("/"), HubView.as_view())]
