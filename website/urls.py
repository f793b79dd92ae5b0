"""Addresses of the pages, the pictures and the documents at fixed places."""

from django.urls import path, re_path

from website import images, insights, views, wellknown
from website.markdown import paired

app_name = "website"

urlpatterns = [
    *paired("", views.HomeView, "home", "home"),
    *paired("reviews", views.ReviewListView, "reviews", "reviews"),
    *paired("reviews/<str:ulid>", views.ReviewView, "review", "review"),
    *paired("insights", insights.InsightsView, "insights", "insights"),
    *paired("insights/<str:kind>/<str:subject>", insights.SubjectView, "subject", "subject"),
    *paired(
        "insights/aspects/<str:subject>/<str:label>",
        insights.SubjectView,
        "subject",
        "opinions",
        {"kind": "aspects"},
    ),
    *paired("developers", views.DevelopersView, "developers", "developers"),
    *paired("developers/mcp", views.AssistantsView, "assistants", "assistants"),
    re_path(
        r"^(?:reviews|insights|developers|status)(?:/[^/]+)*/\Z",
        views.without_slash,
    ),
    # Browsers look there beside everything that is not a page of ours, the administration too.
    path("favicon.ico", images.favicon),
    path("logo.png", images.logo, name="logo"),
    path("icon.png", images.icon, name="icon"),
    path("share.png", images.share, name="share"),
    path("robots.txt", wellknown.robots),
    path("llms.txt", wellknown.llms),
    path("sitemap.xml", wellknown.sitemap),
    path(".well-known/security.txt", wellknown.security),
    path(".well-known/api-catalog", wellknown.api_catalog),
    path(".well-known/<str:name>", wellknown.text),  # After those that the service writes itself.
]
