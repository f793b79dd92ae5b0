"""The page of the business, and the end of the setup."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from core.admin.base import SlugAdmin
from core.images import fitted_size
from reviews import services
from reviews.admin.forms import BusinessForm
from reviews.models import Business, Logo


@admin.register(Business)
class BusinessAdmin(SlugAdmin):
    form = BusinessForm
    fieldsets = [
        (None, {"fields": ["name", "slug", "legal_name", "description", "vertical", "language"]}),
        (
            _("On the web"),
            {
                "fields": [
                    "url",
                    "current_logo",
                    "logo_file",
                    "remove_logo",
                    "review_links",
                    "same_as",
                    "logo_url",
                    "attribution",
                ]
            },
        ),
        (_("Reviews"), {"fields": ["author_names", "photos"]}),
        (_("Contact"), {"fields": ["phone", "email", "license"]}),
        (
            _("Place and time"),
            {
                "fields": [
                    "street",
                    "city",
                    "region",
                    "postal_code",
                    "country",
                    ("latitude", "longitude"),
                    "time_zone",
                    "hours",
                ]
            },
        ),
    ]

    readonly_fields = ["current_logo"]

    class Media:
        css = {"all": ["reviews/admin.css"]}

    @admin.display(description=_("Current logo"))
    def current_logo(self, business: Business) -> str:
        if (logo := Logo.objects.defer("png").filter(business=business).first()) is None:
            return gettext("None yet.")
        return format_html(
            '<img src="/logo.png?v={}" alt="{}" width="{}" height="{}">',
            logo.digest,
            gettext("The logo"),
            *fitted_size(logo.width, logo.height, within=96),
        )

    def save_model(
        self,
        request: HttpRequest,
        obj: Business,
        form: BusinessForm,
        change: bool,  # noqa: FBT001  (Django's)
    ) -> None:
        super().save_model(request, obj, form, change)
        if form.cleaned_data.get("logo_file"):
            services.set_logo(obj, form.cleaned_data["logo_file"])
        elif form.cleaned_data.get("remove_logo"):
            services.remove_logo(obj)

    def get_urls(self) -> list[URLPattern]:
        finish = require_POST(self.admin_site.admin_view(self.finish_view))
        name = "reviews_business_finish_first_steps"
        return [path("first-steps/", finish, name=name), *super().get_urls()]

    def finish_view(self, request: HttpRequest) -> HttpResponse:
        """Finish the setup, so that the dashboard no longer lists its steps."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        services.finish_first_steps()
        return HttpResponseRedirect(reverse("admin:index"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Business.objects.exists()

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Hide “Save and add another”, since there is only one business."""
        context = {**(extra_context or {}), "show_save_and_add_another": False}
        return super().changeform_view(request, object_id, form_url, context)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Redirect to the form of the only business."""
        business = Business.objects.first()
        if business and self.has_view_or_change_permission(request):
            return HttpResponseRedirect(
                reverse("admin:reviews_business_change", args=[business.pk])
            )
        if self.has_add_permission(request):
            return HttpResponseRedirect(reverse("admin:reviews_business_add"))
        return super().changelist_view(request, extra_context)
