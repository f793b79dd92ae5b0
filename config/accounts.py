"""Users and groups: who changes them could become anybody, so superusers alone do."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

from reviews.admin.workplace import is_superuser

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
    pass


class Groups(ChangedBySuperusers, GroupAdmin):
    pass


admin.site.unregister([User, Group])
admin.site.register(User, Users)
admin.site.register(Group, Groups)
