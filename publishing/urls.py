from django.urls import path

from publishing.catalog import CATALOG
from publishing.views import DocumentView, SinceView

urlpatterns = [
    *(path(each.removeprefix("/"), DocumentView.as_view(path=each)) for each in CATALOG),
    path("api/reviews/since/<str:date>", SinceView.as_view()),
]
