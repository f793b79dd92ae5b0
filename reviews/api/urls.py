from django.urls import path

from reviews import documents
from reviews.api import views

urlpatterns = [
    path(views.PATH[1:], views.SearchReviewsView.as_view()),
    path(documents.DOCUMENT.path[1:], views.ReviewsView.as_view()),
    path("api/reviews/since/<str:date>", views.SinceView.as_view()),
]
