"""Users, groups and sign-ins: users and groups are changed by superusers alone."""

import logging
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db.models import Exists, ManyToManyField, OuterRef, QuerySet
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format

from config.sign_in.services import remove_second_factor
from config.sign_in.views import SECOND_FACTORS
from core.admin.base import is_key, is_superuser

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    BaseUsers = UserAdmin[User]
    RowsField = ModelMultipleChoiceField[Any]
else:
    ModelAdmin, BaseUsers, RowsField = object, UserAdmin, ModelMultipleChoiceField


class KeysField(RowsField):
    """Rows by their keys; one that no row can have is refused like one that is not there."""

    def clean(self, value: Any) -> QuerySet[Any]:
        unknown = [key for key in value or [] if not is_key(str(key))]
        if unknown:
            message = self.error_messages["invalid_choice"]
            raise ValidationError(message, code="invalid_choice", params={"value": unknown[0]})
        rows: QuerySet[Any] = super().clean(value)
        return rows


class ChangedBySuperusers(ModelAdmin):
    formfield_overrides = {ManyToManyField: {"form_class": KeysField}}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)


class Users(ChangedBySuperusers, BaseUsers):
    """Groups give permissions in one step, so they come before everything else."""

    list_display = ["username", "email", "first_name", "last_name", "is_staff", "second_step"]
    actions = ["remove_second_step"]

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

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        factors = Authenticator.objects.filter(user=OuterRef("pk"), type__in=SECOND_FACTORS)
        users: QuerySet[User] = super().get_queryset(request)
        return users.annotate(has_second_step=Exists(factors))

    @admin.display(description="second step", boolean=True, ordering="has_second_step")
    def second_step(self, user: User) -> bool:
        has_one: bool = user.has_second_step  # type: ignore[attr-defined]
        return has_one

    @admin.action(
        description="Remove the second step of selected users (a lost phone)",
        permissions=["change"],
    )
    def remove_second_step(self, request: HttpRequest, users: QuerySet[User]) -> None:
        names = [user.get_username() for user in users if remove_second_factor(user)]
        for name in names:
            logger.warning("%s has removed the second step of %s", request.user, name)
        removed = ", ".join(names) or "nobody"
        self.message_user(
            request,
            f"The second step was removed from: {removed}. They sign in with their password alone, "
            "and their sessions were ended.",
        )


class Groups(ChangedBySuperusers, GroupAdmin):
    pass


def _sign_in_name(attempt: AccessAttempt | AccessFailureLog | AccessLog) -> str:
    """The user name and the time; django-axes writes the time in UTC and to the microsecond."""
    at = date_format(timezone.localtime(attempt.attempt_time), "DATETIME_FORMAT")
    return f"{attempt.username or 'unknown'}, {at}"


for _model in (AccessAttempt, AccessFailureLog, AccessLog):
    _model.__str__ = _sign_in_name

# Pages of their own, or of no use here.
admin.site.unregister([EmailAddress, Authenticator, UserSession])
admin.site.unregister([User, Group])
admin.site.register(User, Users)
admin.site.register(Group, Groups)
