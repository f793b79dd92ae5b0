"""The pages people see."""

from django.urls import path

from website import views, wellknown

app_name = "website"

urlpatterns = [
    path("", views.HomeView.as_view(), name="home"),
    path("reviews", views.ReviewListView.as_view(), name="reviews"),
    path("reviews/<str:ulid>", views.ReviewView.as_view(), name="review"),
    path("developers", views.DevelopersView.as_view(), name="developers"),
    path("developers/mcp", views.AssistantsView.as_view(), name="assistants"),
    path("robots.txt", wellknown.robots),
    path("llms.txt", wellknown.llms),
    path("sitemap.xml", wellknown.sitemap),
    path(".well-known/security.txt", wellknown.security),
    path(".well-known/api-catalog", wellknown.api_catalog),
]
