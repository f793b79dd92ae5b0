"""URL patterns of all registered documents: `path("", include("publishing.urls"))`."""

from django.urls import path

from publishing.registry import registry
from publishing.views import DocumentView

urlpatterns = [
    path(spec.path.removeprefix("/"), DocumentView.as_view(path=spec.path)) for spec in registry
]
