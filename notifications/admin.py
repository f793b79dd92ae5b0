"""Admin of webhooks, of the user's own notifications, and of the message log."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from core.admin.base import EditableModelAdmin, ReadOnlyAdmin, signed_in_user
from guarded_http.urls import UrlRefused
from notifications import services
from notifications.models import (
    WEBHOOK_EVENTS,
    DeliveryAttempt,
    Endpoint,
    EventType,
    Message,
    Recipient,
)
from notifications.record import PERMISSIONS, TROUBLES
from notifications.webhooks import check_address

if TYPE_CHECKING:
    AnyForm = forms.ModelForm[Any]
    AttemptBase = admin.TabularInline[Any, Any]
else:
    AnyForm, AttemptBase = forms.ModelForm, admin.TabularInline


def _choices(types: Sequence[EventType]) -> list[tuple[str, Any]]:
    return [(each.value, each.label) for each in types]


# --- Webhooks -------------------------------------------------------------------------------------


class EndpointForm(AnyForm):
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=_choices(WEBHOOK_EVENTS),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event.")},
    )

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            check_address(url)
        except UrlRefused as refused:
            raise ValidationError(str(refused)) from None
        return url


@admin.register(Endpoint)
class EndpointAdmin(EditableModelAdmin):
    """Admin of webhooks. Lists show only the host, since chats put a secret into the address."""

    form = EndpointForm
    list_display = ("name", "host", "format", "is_enabled", "last_success_at", "trouble")
    fields = ("name", "format", "url", "events", "is_enabled")
    change_form_template = "admin/notifications/endpoint.html"

    @admin.display(description=_("error"), empty_value="-")
    def trouble(self, endpoint: Endpoint) -> str:
        return endpoint.disabled_reason or endpoint.last_error or "-"

    @admin.display(description=_("receiver"))
    def host(self, endpoint: Endpoint) -> str:
        return endpoint.host

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        secret = services.save_endpoint(obj)
        if secret and obj.format == Endpoint.Format.STANDARD:
            self._show_secret(request, secret)

    def _show_secret(self, request: HttpRequest, secret: str) -> None:
        words = _("The secret, shown this once: %(secret)s") % {"secret": secret}
        self.message_user(request, words, messages.WARNING)

    def get_urls(self) -> list[URLPattern]:
        do = self.admin_site.admin_view(require_POST(self.do_view))
        return [path("<int:pk>/do/", do, name="notifications_do"), *super().get_urls()]

    def do_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send a test event, or rotate the secret."""
        endpoint = get_object_or_404(Endpoint, pk=pk)
        if not self.has_change_permission(request, endpoint):
            raise PermissionDenied
        if "rotate" in request.POST:
            self._show_secret(request, services.rotate_secret(endpoint))
            self.message_user(request, _("For a day, messages carry both signatures."))
        else:
            services.send_test(endpoint)
            self.message_user(request, _("A test event is on its way; see “Messages”."))
        return redirect("admin:notifications_endpoint_change", pk)


# --- The user's own notifications -----------------------------------------------------------------


class RecipientForm(AnyForm):
    most_stars = forms.TypedChoiceField(
        label=_("New reviews"),
        coerce=int,
        choices=[
            (0, _("None")),
            (1, _("With one star")),
            (2, _("With two stars or fewer")),
            (3, _("With three stars or fewer")),
            (4, _("With four stars or fewer")),
            (5, _("Each")),
        ],
    )
    events = forms.MultipleChoiceField(
        label=_("Problems"), required=False, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = Recipient
        fields = ("most_stars", "events", "digest", "quiet_from", "quiet_until")
        help_texts = {
            "digest": _("At 8:00 in the time zone of the business."),
            "quiet_until": _("News and digests wait until then, in the time zone of the business."),
        }
        widgets = {
            "quiet_from": forms.TimeInput(attrs={"type": "time"}),
            "quiet_until": forms.TimeInput(attrs={"type": "time"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        user = self.instance.user
        allowed = [each for each in TROUBLES if user.has_perm(PERMISSIONS[each])]
        events = self.fields["events"]
        if allowed and isinstance(events, forms.MultipleChoiceField):
            events.choices = _choices(allowed)
        else:
            del self.fields["events"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if bool(cleaned.get("quiet_from")) != bool(cleaned.get("quiet_until")):
            self.add_error("quiet_until", _("Quiet hours have a beginning and an end."))
        return cleaned


@admin.register(Recipient)
class RecipientAdmin(ReadOnlyAdmin):
    """The page on which users choose their own e-mail. It has no list."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is None  # Users cannot see the rows of other users.

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(self.own_view), name="notifications_recipient_changelist"),
        ]

    def own_view(self, request: HttpRequest) -> HttpResponse:
        user = signed_in_user(request)
        if user is None:
            raise PermissionDenied
        stored = Recipient.objects.filter(user=user).first()
        recipient = stored or Recipient(user=user)
        form = RecipientForm(request.POST or None, instance=recipient)
        if request.method == "POST" and form.is_valid():
            services.save_recipient(form.instance)
            words = _("Saved.")
            if "_test" in request.POST:
                words = _("Saved. A test is on its way to you.")
                services.send_mail(user, Message.Kind.TEST)
            self.message_user(request, words, messages.SUCCESS)
            return redirect("admin:notifications_recipient_changelist")
        context = self.admin_site.each_context(request) | {
            "title": _("Notifications"),
            "form": form,
            "is_email_on": settings.EMAIL_ENABLED,
        }
        return TemplateResponse(request, "admin/notifications/recipient.html", context)


# --- The log --------------------------------------------------------------------------------------


class AttemptInline(AttemptBase):
    model = DeliveryAttempt
    fields = readonly_fields = ("at", "is_success", "status", "error", "took", "body", "answer")
    extra = 0
    can_delete = False

    @admin.display(description=_("seconds"))
    def took(self, attempt: DeliveryAttempt) -> str:
        return f"{attempt.seconds:.2f}"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "kind", "address", "event", "state", "attempts", "last_error")
    list_filter = ("state", "kind")
    list_select_related = ("endpoint", "event", "recipient__user")
    fields = (
        *("identifier", "kind", "address", "event", "state", "attempts", "last_error"),
        *("created_at", "next_attempt_at", "finished_at"),
    )
    readonly_fields = ("identifier", "address")
    inlines = (AttemptInline,)
    actions = ("resend",)

    @admin.display(description=_("id"))
    def identifier(self, message: Message) -> str:
        """The `webhook-id`, or the beginning of the Message-ID of an e-mail."""
        return f"msg_{message.uid}" if message.endpoint_id else message.uid

    @admin.display(description=_("address"))
    def address(self, message: Message) -> str:
        return str(message.endpoint or message.recipient)

    @admin.action(description=_("Send selected messages again"), permissions=["view"])
    def resend(self, request: HttpRequest, rows: QuerySet[Message]) -> None:
        if not request.user.has_perm("notifications.change_message"):
            raise PermissionDenied
        for message in rows:
            services.resend(message)
        self.message_user(request, _("The messages are on their way."), messages.SUCCESS)
