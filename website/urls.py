"""Addresses of the pages, the pictures and the documents at fixed places."""

from django.urls import path, re_path

from website import images, insights, views, wellknown

app_name = "website"

urlpatterns = [
    path("", views.HomeView.as_view(), name="home"),
    path("reviews", views.ReviewListView.as_view(), name="reviews"),
    path("reviews/<str:ulid>", views.ReviewView.as_view(), name="review"),
    path("reviews/<str:ulid>/share.png", images.review_share, name="review-share"),
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
]
