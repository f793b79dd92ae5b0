"""URL of the unsubscribe link in e-mail, which works without a sign-in."""

from django.urls import path

from notifications import views

app_name = "notifications"

urlpatterns = [
    path("unsubscribe/<str:token>", views.UnsubscribeView.as_view(), name="unsubscribe"),
]
