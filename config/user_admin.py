"""Users, groups and sign-ins: users and groups are changed by superusers alone."""

from typing import TYPE_CHECKING, Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format

from core.admin.base import is_superuser

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    BaseUsers = UserAdmin[User]
else:
    ModelAdmin, BaseUsers = object, UserAdmin


class ChangedBySuperusers(ModelAdmin):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)


class Users(ChangedBySuperusers, BaseUsers):
    """Groups give permissions in one step, so they come before everything else."""

    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("What they may do", {"fields": ["groups", "is_staff", "is_active"]}),
        ("Personal info", {"fields": ["first_name", "last_name", "email"]}),
        (
            "Beyond their groups",
            {"classes": ["collapse"], "fields": ["is_superuser", "user_permissions"]},
        ),
        ("Times", {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [
        (None, {"fields": ["username", "usable_password", "password1", "password2"]}),
        ("What they may do", {"fields": ["groups", "is_staff"]}),
    ]
    readonly_fields = ["last_login", "date_joined"]


class Groups(ChangedBySuperusers, GroupAdmin):
    pass


def _sign_in_name(attempt: AccessAttempt | AccessFailureLog | AccessLog) -> str:
    """The user name and the time; django-axes writes the time in UTC and to the microsecond."""
    at = date_format(timezone.localtime(attempt.attempt_time), "DATETIME_FORMAT")
    return f"{attempt.username or 'unknown'}, {at}"


for _model in (AccessAttempt, AccessFailureLog, AccessLog):
    _model.__str__ = _sign_in_name

admin.site.unregister([User, Group])
admin.site.register(User, Users)
admin.site.register(Group, Groups)
