from django.urls import path

from reviews import views

urlpatterns = [path("api/reviews/search", views.SearchReviewsView.as_view())]
