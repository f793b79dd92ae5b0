"""URLs of the sign-in pages, below the admin."""

from allauth.account.views import reauthenticate
from django.contrib import admin
from django.urls import include, path

from sign_in import views

urlpatterns = [
    path("login/", admin.site.login, name="account_login"),
    path("password_change/", admin.site.admin_view(views.ChangePasswordView.as_view())),
    path("account/cancel/", views.cancel, name="account_logout"),
    path("account/confirm/", reauthenticate, name="account_reauthenticate"),
    path("account/second-step/", include("allauth.mfa.urls")),
    path("account/sessions/", views.SessionsView.as_view(), name="usersessions_list"),
]
