from django.urls import path

from publishing import views

urlpatterns = [
    path("reviews.json", views.ReviewsView.as_view()),
    path("insights.json", views.InsightsView.as_view()),
    path("api/feed.json", views.JsonFeedView.as_view()),
    path("feed.xml", views.AtomView.as_view()),
    path(".well-known/openapi.json", views.OpenApiView.as_view()),
    path("api/reviews/since/<str:date>", views.SinceView.as_view()),
]
