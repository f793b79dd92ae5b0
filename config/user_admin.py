"""Admin of users, groups and sign-ins. Only superusers may change users and groups.

A user has one role: either Administrator, who may do everything, or a group.
"""

import logging
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm, UserCreationForm
from django.contrib.auth.models import Group, User
from django.db.models import Exists, ManyToManyField, OuterRef, QuerySet
from django.db.models.signals import m2m_changed
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _

from core.admin.base import is_superuser
from notifications.models import Message
from notifications.services import send_mail
from sign_in.services import remove_second_factor
from sign_in.views import SECOND_FACTORS

logger = logging.getLogger(__name__)

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


@receiver(m2m_changed, sender=User.groups.through)
def admit_group_members(
    instance: User | Group, action: str, pk_set: set[int], *, reverse: bool, **kwargs: Any
) -> None:
    """Let members of any group sign in, since groups only matter in the admin."""
    if action == "post_add":
        members = pk_set if reverse else [instance.pk]
        User.objects.filter(pk__in=members, is_staff=False).update(is_staff=True)


# --- Roles ----------------------------------------------------------------------------------------

ADMINISTRATOR = "administrator"
OWN_PERMISSIONS = "own"


def role_of(user: User) -> tuple[str, str]:
    """Return value and label of the role of a saved user."""
    if user.is_superuser:
        return ADMINISTRATOR, gettext("Administrator")
    groups, permissions = user.groups.all(), user.user_permissions.all()
    if len(groups) == 1 and not permissions and user.is_staff:
        return str(groups[0].pk), groups[0].name
    names = [
        *sorted(group.name for group in groups),
        *([gettext("own permissions")] if permissions else []),
    ]
    return OWN_PERMISSIONS, gettext(" and ").join(names) or gettext("no role")


class RoleForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form with a role instead of status, groups and permissions."""

    role = forms.ChoiceField(
        label=_("Role"),
        help_text=_(
            "Administrators may do everything, including users. Editors do the daily work "
            "with reviews, imports and sources. Viewers may only read the same pages."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "role" not in self.fields:  # Without the permission to change users.
            return
        if "is_active" in self.fields:
            self.fields["is_active"].label = _("May sign in")
            self.fields["is_active"].help_text = _("Clear this for users who have left.")
        if "username" in self.fields:
            self.fields["username"].help_text = _("The user signs in with this name.")
        groups = [(str(group.pk), group.name) for group in Group.objects.order_by("name")]
        choices = [(ADMINISTRATOR, gettext("Administrator")), *groups]
        if self.instance.pk:
            value, label = role_of(self.instance)
            self.initial["role"] = value
            if value == OWN_PERMISSIONS:
                choices.insert(0, (value, gettext("Unchanged: %(role)s") % {"role": label}))
        else:
            choices.insert(0, ("", gettext("Choose a role")))
        self.fields["role"].choices = choices  # type: ignore[attr-defined]


class UserForm(RoleForm, UserChangeForm):  # type: ignore[type-arg]
    pass


class NewUserForm(RoleForm, UserCreationForm):  # type: ignore[type-arg]
    """Form of a new user, who is invited by e-mail if the password is empty."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if settings.EMAIL_ENABLED:
            for name in ("password1", "password2"):
                self.fields[name].required = False
            self.fields["password1"].help_text = _(
                "Leave it empty to invite the user by e-mail, with a link to choose one."
            )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.is_invited and not cleaned.get("email") and "email" not in self.errors:
            words = _("Enter an e-mail address for the invitation, or give a password.")
            self.add_error("email", words)
        return cleaned

    @property
    def is_invited(self) -> bool:
        """Whether the user gets a link to choose the password."""
        return not self.cleaned_data.get("password1")

    def save(self, commit: bool = True) -> User:  # noqa: FBT001, FBT002  (Django's)
        user: User = super().save(commit=False)
        if self.is_invited:
            user.set_unusable_password()
        if commit:
            user.save()
        return user


# --- Pages ----------------------------------------------------------------------------------------


class Users(ChangedBySuperusers, BaseUsers):
    list_display = ["username", "email", "first_name", "last_name", "role", "second_step"]
    list_filter = ["is_superuser", "is_active", "groups"]
    form = UserForm
    add_form = NewUserForm
    actions = ["invite", "remove_second_step"]

    fieldsets = [
        (None, {"fields": ["username", "password", "role", "is_active"]}),
        (_("Name and address"), {"fields": ["first_name", "last_name", "email"]}),
        (_("Times"), {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [(None, {"fields": ["username", "email", "password1", "password2", "role"]})]
    readonly_fields = ["last_login", "date_joined"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        factors = Authenticator.objects.filter(user=OuterRef("pk"), type__in=SECOND_FACTORS)
        users: QuerySet[User] = super().get_queryset(request)
        users = users.prefetch_related("groups", "user_permissions")
        return users.annotate(has_second_step=Exists(factors))

    @admin.display(description=_("role"))
    def role(self, user: User) -> str:
        return role_of(user)[1]

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001  (Django's)
        role = form.cleaned_data["role"]
        if role != OWN_PERMISSIONS:
            obj.is_staff, obj.is_superuser = True, role == ADMINISTRATOR
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:  # noqa: FBT001  (Django's)
        super().save_related(request, form, formsets, change)
        role = form.cleaned_data["role"]
        if role != OWN_PERMISSIONS:
            form.instance.groups.set([] if role == ADMINISTRATOR else [int(role)])
            form.instance.user_permissions.clear()
        if not change and form.is_invited:
            send_mail(form.instance, Message.Kind.INVITATION)
            self.message_user(request, _("An invitation is on its way."))

    @admin.action(
        description=gettext_lazy("Invite selected users by e-mail again"), permissions=["change"]
    )
    def invite(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Send users without a password a link to choose one."""
        invited = [user for user in users if user.email and not user.has_usable_password()]
        for user in invited:
            send_mail(user, Message.Kind.INVITATION)
        words = ngettext(
            "%(count)d user was invited. Only users without a password can be invited.",
            "%(count)d users were invited. Only users without a password can be invited.",
            len(invited),
        )
        self.message_user(request, words % {"count": len(invited)})

    @admin.display(description=_("second step"), boolean=True, ordering="has_second_step")
    def second_step(self, user: User) -> bool:
        has_one: bool = user.has_second_step  # type: ignore[attr-defined]
        return has_one

    @admin.action(
        description=_("Remove the second step of selected users (a lost phone)"),
        permissions=["change"],
    )
    def remove_second_step(self, request: HttpRequest, users: QuerySet[User]) -> None:
        names = [user.get_username() for user in users if remove_second_factor(user)]
        for name in names:
            logger.warning("%s has removed the second step of %s", request.user, name)
        said = gettext(
            "The second step was removed from: %(names)s. They sign in with their password alone, "
            "and their sessions were ended."
        )
        self.message_user(request, said % {"names": ", ".join(names) or gettext("nobody")})


class Groups(ChangedBySuperusers, GroupAdmin):
    # The help of Django's pair of lists is not accessible to screen readers.
    filter_horizontal = []
    formfield_overrides = {
        ManyToManyField: {"widget": forms.CheckboxSelectMultiple},
    }


def _sign_in_name(attempt: AccessAttempt | AccessFailureLog | AccessLog) -> str:
    """Return user name and local time. The default has the time in UTC with microseconds."""
    at = date_format(timezone.localtime(attempt.attempt_time), "DATETIME_FORMAT")
    return f"{attempt.username or 'unknown'}, {at}"


for _model in (AccessAttempt, AccessFailureLog, AccessLog):
    _model.__str__ = _sign_in_name

# These models have other pages, or none.
admin.site.unregister([EmailAddress, Authenticator, UserSession])
admin.site.unregister([User, Group])
admin.site.register(User, Users)
admin.site.register(Group, Groups)
