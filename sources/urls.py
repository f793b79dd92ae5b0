from django.urls import path

from sources import views

app_name = "sources"
urlpatterns = [path("<int:pk>/<str:token>", views.receive, name="receive")]
