from django.urls import path, re_path

from website import images, insights, views, wellknown
from website.languages import PATTERN, in_each_language

app_name = "website"

urlpatterns = [
    *in_each_language("", views.HomeView.as_view(), "home"),
    *in_each_language("reviews", views.ReviewListView.as_view(), "reviews"),
    *in_each_language("reviews/<str:ulid>", views.ReviewView.as_view(), "review"),
    path("reviews/<str:ulid>/share.png", images.review_share, name="review-share"),
    *in_each_language("insights", insights.InsightsView.as_view(), "insights"),
    *in_each_language(
        "insights/<str:kind>/<str:subject>", insights.SubjectView.as_view(), "subject"
    ),
    *in_each_language(
        "insights/aspects/<str:subject>/<str:label>",
        insights.SubjectView.as_view(),
        "opinions",
        {"kind": "aspects"},
    ),
    *in_each_language("developers", views.DevelopersView.as_view(), "developers"),
    *in_each_language("developers/mcp", views.AssistantsView.as_view(), "assistants"),
    re_path(
        rf"^(?:reviews|insights|developers|status|{PATTERN})(?:/[^/]+)*/\Z", views.without_slash
    ),
    # Browsers request it for responses that are not HTML pages of the site.
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
