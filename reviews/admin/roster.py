"""Edit the roster of technicians, services and areas."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from core.admin.base import SlugAdmin
from reviews import services
from reviews.admin.forms import ServiceAreaForm, ServiceForm, TechnicianForm
from reviews.models import Mention, Service, ServiceArea, Technician


class RosterAdmin(SlugAdmin):
    """Entries that reviews mention; each change matches the reviews again."""

    kind: Mention.Kind
    list_per_page = 100

    class Media:
        css = {"all": ["reviews/admin.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        mentions = Mention.objects.filter(
            kind=self.kind, subject=OuterRef("slug"), review__hidden=False
        )
        count = mentions.order_by().values("subject").annotate(n=Count("pk")).values("n")
        entries = super().get_queryset(request)
        counted: QuerySet[Any] = entries.annotate(mentioned_in=Coalesce(Subquery(count), 0))
        return counted

    @admin.display(description=_("mentioned"), ordering="mentioned_in")
    def mentioned(self, entry: Any) -> str:
        count = entry.mentioned_in
        address = reverse("admin:reviews_review_changelist")
        text = ngettext("in %d review", "in %d reviews", count) % count
        filters = f"mentions={self.kind}:{entry.slug}"
        return format_html('<a href="{}?{}">{}</a>', address, filters, text)

    @admin.display(description=_("other names"))
    def other_names(self, entry: Any) -> str:
        return Truncator(", ".join(map(str, getattr(entry, entry.words)))).chars(80)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001  (Django's)
        with services.roster_change():
            super().save_model(request, obj, form, change)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, int], set[Any], list[Any]]:
        entries, rows, needed, kept = super().get_deleted_objects(objs, request)
        mentions = Mention.objects.filter(kind=self.kind, subject__in=[row.slug for row in objs])
        return (
            entries,
            rows | {gettext("Mentions (their reviews stay)"): mentions.count()},
            needed,
            kept,
        )

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        with services.roster_change():
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with services.roster_change():
            super().delete_queryset(request, queryset)


@admin.register(Technician)
class TechnicianAdmin(RosterAdmin):
    kind = Mention.Kind.TECHNICIAN
    form = TechnicianForm
    fields = ["name", "slug", "aliases", "active_from", "active_to"]
    list_display = ["name", "slug", "other_names", "active_from", "active_to", "mentioned"]
    search_fields = ["name", "slug"]

    def save_model(self, request: HttpRequest, obj: Technician, form: Any, change: bool) -> None:  # noqa: FBT001  (Django's)
        super().save_model(request, obj, form, change)
        if Technician.objects.filter(name__iexact=obj.name).exclude(pk=obj.pk).exists():
            text = gettext(
                "Two team members are now called %(name)s. Reviews that give only this "
                "name count for neither. Give each a different name, or delete one."
            )
            messages.warning(request, text % {"name": obj.name})


@admin.register(Service)
class ServiceAdmin(RosterAdmin):
    kind = Mention.Kind.SERVICE
    title = "label"
    form = ServiceForm
    fields = ["label", "slug", "keywords"]
    list_display = ["label", "slug", "keyword_list", "mentioned"]
    search_fields = ["label", "slug"]

    @admin.display(description=_("keywords"))
    def keyword_list(self, entry: Service) -> str:
        return self.other_names(entry)


@admin.register(ServiceArea)
class ServiceAreaAdmin(RosterAdmin):
    kind = Mention.Kind.AREA
    form = ServiceAreaForm
    fields = ["name", "slug", "aliases"]
    list_display = ["name", "slug", "other_names", "mentioned"]
    search_fields = ["name", "slug"]
