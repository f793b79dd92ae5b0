"""The pages people see."""

from django.templatetags.static import static
from django.urls import path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from website import insights, views, wellknown

app_name = "website"

urlpatterns = [
    path("", views.HomeView.as_view(), name="home"),
    path("reviews", views.ReviewListView.as_view(), name="reviews"),
    path("reviews/<str:ulid>", views.ReviewView.as_view(), name="review"),
    path("insights", insights.InsightsView.as_view(), name="insights"),
    path("insights/<str:kind>/<str:subject>", insights.SubjectView.as_view(), name="subject"),
    path(
        "insights/aspects/<str:subject>/<str:label>",
        insights.SubjectView.as_view(),
        {"kind": "aspects"},
        name="opinions",
    ),
    path("developers", views.DevelopersView.as_view(), name="developers"),
    path("developers/mcp", views.AssistantsView.as_view(), name="assistants"),
    # Browsers look there beside everything that is not a page of ours, the administration too.
    path("favicon.ico", require_safe(RedirectView.as_view(url=static("website/icon.svg")))),
    path("robots.txt", wellknown.robots),
    path("llms.txt", wellknown.llms),
    path("sitemap.xml", wellknown.sitemap),
    path(".well-known/security.txt", wellknown.security),
    path(".well-known/api-catalog", wellknown.api_catalog),
]
