from django.urls import path

from insights import documents, views

urlpatterns = [path(documents.DOCUMENT.path[1:], views.InsightsView.as_view())]
