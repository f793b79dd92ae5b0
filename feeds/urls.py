from django.urls import path

from feeds import documents, views

urlpatterns = [path(documents.JSON_FEED.path[1:], views.JsonFeedView.as_view())]
