from django.urls import path

from reviews import documents, views

urlpatterns = [
    path("api/reviews/search", views.SearchReviewsView.as_view()),
    path(documents.DOCUMENT.path[1:], views.ReviewsView.as_view()),
    path("api/reviews/since/<str:date>", views.SinceView.as_view()),
]
