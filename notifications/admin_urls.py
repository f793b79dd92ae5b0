"""URLs of the digest and of the password reset, below the admin."""

from django.contrib import admin
from django.urls import path

from notifications import views

urlpatterns = [
    path(
        "notifications/digest/",
        admin.site.admin_view(views.digest),
        name="notifications_digest",
    ),
    path(
        "notifications/digest.png",
        admin.site.admin_view(views.picture),
        name="notifications_digest_picture",
    ),
    path("password_reset/", views.PasswordResetView.as_view(), name="admin_password_reset"),
    path("password_reset/done/", views.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path(
        "reset/<str:uidb64>/<str:token>/",
        views.PasswordResetConfirmView.as_view(),
        name="password_reset_confirm",
    ),
    path("reset/done/", views.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
]
