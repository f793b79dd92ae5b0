"""A forgotten password, below the administration."""

from django.urls import path

from notifications import views

urlpatterns = [
    path("password_reset/", views.PasswordResetView.as_view(), name="admin_password_reset"),
    path("password_reset/done/", views.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path(
        "reset/<str:uidb64>/<str:token>/",
        views.PasswordResetConfirmView.as_view(),
        name="password_reset_confirm",
    ),
    path("reset/done/", views.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
]
