"""Sources and their runs in the administration: how they are doing, and decisions about runs."""

from copy import deepcopy
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html

from core.admin.base import EditableModelAdmin, ReadOnlyAdmin, signed_in_user
from review_exports.values.identifiers import source_slug
from reviews.imports.batch import BatchNotReady
from sources import selectors, services
from sources.google_admin import GoogleGrantAdmin
from sources.kinds import KINDS
from sources.kinds.protocol import KindForm
from sources.models import LEAST_INTERVAL_SECONDS, SourceConnection, SourceRun
from websub.secrets import SecretLost


class ConnectionForm(forms.ModelForm):  # type: ignore[type-arg]
    """A connection with the settings of its kind, which `kind_form` validates."""

    kind_form_class: ClassVar[type[KindForm]] = KindForm
    kind_name: ClassVar[str] = ""

    source = forms.CharField(
        label="Source of the reviews",
        required=False,
        max_length=50,
        help_text="Where the reviews are from, like google, if the content does not say.",
    )
    interval_seconds = forms.IntegerField(
        label="Look every (seconds)", min_value=LEAST_INTERVAL_SECONDS, max_value=31 * 86_400
    )

    class Meta:
        model = SourceConnection
        fields = ("name", "interval_seconds", "is_complete", "holds_new")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        connection = self.instance
        connection.kind = connection.kind or self.kind_name
        self.initial.setdefault("source", connection.import_options.get("source", ""))
        stored = _names_of_secrets(connection)
        self.kind_form = self.kind_form_class(
            self.data if self.is_bound else None, stored_secrets=stored
        )
        for name, field in self.kind_form.fields.items():
            self.fields[name] = field
            self.initial.setdefault(name, connection.settings.get(name))

    def clean(self) -> dict[str, Any]:
        """Values of both forms; errors of the kind's form stand at its fields."""
        cleaned = super().clean() or self.cleaned_data
        if not self.kind_form.is_valid():
            for name, errors in self.kind_form.errors.items():
                if name not in self.errors:
                    self.add_error(name if name in self.fields else None, list(errors))
        source = source_slug(cleaned.get("source") or "") if cleaned.get("source") else ""
        options = {**self.instance.import_options, "source": source}
        self.instance.import_options = {name: value for name, value in options.items() if value}
        return cleaned


def _names_of_secrets(connection: SourceConnection) -> list[str]:
    try:
        return list(connection.secrets)
    except SecretLost:
        return []


@admin.register(SourceConnection)
class SourceConnectionAdmin(GoogleGrantAdmin, EditableModelAdmin):
    """Sources: how each is doing, with buttons to look at it now."""

    list_display = (
        *("name", "kind_label", "state", "last_look_at", "last_change_at", "next_look_at"),
        "last_error",
    )
    list_filter = ("state", "kind")
    actions = ("check_now", "resume", "pause")
    readonly_fields = ("grant", "address", "state", "last_look_at", "last_success_at", "last_error")

    @admin.display(description="kind")
    def kind_label(self, connection: SourceConnection) -> str:
        kind = KINDS.get(connection.kind)
        return kind.label if kind else connection.kind

    @admin.display(description="address to send to")
    def address(self, connection: SourceConnection) -> str:
        """The address of a connection that takes pushes."""
        return selectors.push_address(connection) or "-"

    @admin.display(description="access")
    def grant(self, connection: SourceConnection) -> str:
        """A link to the page where access is granted, for kinds that need it."""
        kind = KINDS.get(connection.kind)
        if not kind or not kind.grant_url_name:
            return "-"
        page = reverse(kind.grant_url_name, args=[connection.pk])
        return format_html('<a href="{}">Connect with Google</a>', page)

    def get_form(
        self,
        request: HttpRequest,
        obj: SourceConnection | None = None,
        change: bool = False,  # noqa: FBT001, FBT002  (Django's)
        **kwargs: Any,
    ) -> Any:
        kind = KINDS.get(obj.kind if obj else request.GET.get("kind", ""))
        form = kind.form if kind else KindForm
        members = {
            **deepcopy(form.base_fields),
            "kind_form_class": form,
            "kind_name": kind.name if kind else "",
        }
        kwargs["form"] = type("KindConnectionForm", (ConnectionForm,), members)
        return super().get_form(request, obj, change=change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: SourceConnection | None = None) -> Any:
        kind = KINDS.get(obj.kind if obj else request.GET.get("kind", ""))
        own = list(kind.form.base_fields) if kind else []
        shared = ["source", "interval_seconds", "is_complete", "holds_new"]
        sets: list[Any] = [
            (None, {"fields": ["name", *own], "description": kind.help if kind else ""}),
            ("Import", {"fields": shared, "description": kind.terms if kind else ""}),
        ]
        if obj:
            sets.append(("How it is doing", {"fields": list(self.readonly_fields)}))
        return sets

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if request.GET.get("kind") in KINDS:
            return super().add_view(request, form_url, extra_context)
        context = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "title": "Add a source",
            "kinds": KINDS.values(),
        }
        return TemplateResponse(request, "admin/sources/sourceconnection/kinds.html", context)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        kind = KINDS[request.GET["kind"]]
        return {"name": kind.label, "interval_seconds": kind.interval_seconds}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        services.save_connection(obj, form.kind_form)

    @admin.action(description="Check now, with a preview", permissions=["change"])
    def check_now(self, request: HttpRequest, rows: QuerySet[SourceConnection]) -> None:
        for connection in rows:
            services.check_now(connection)
        self.message_user(request, "The sources are looked at; what is new waits under runs.")

    @admin.action(description="Resume", permissions=["change"])
    def resume(self, request: HttpRequest, rows: QuerySet[SourceConnection]) -> None:
        for connection in rows:
            services.resume(connection)

    @admin.action(description="Pause", permissions=["change"])
    def pause(self, request: HttpRequest, rows: QuerySet[SourceConnection]) -> None:
        for connection in rows:
            services.pause(connection)


@admin.register(SourceRun)
class SourceRunAdmin(ReadOnlyAdmin):
    """Runs: what each brought, and which wait for a decision."""

    list_display = ("connection", "state", "created_at", "outcome", "why", "report")
    list_filter = ("state", "connection")
    list_select_related = ("connection", "batch")
    exclude = ("content", "state_before", "batch")
    readonly_fields = ("report",)
    actions = ("approve", "reject")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SourceRun]:
        return super().get_queryset(request).defer("content")

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Decide about runs: those who may change sources."""
        return bool(request.user.has_perm("sources.change_sourceconnection"))

    @admin.display(description="result")
    def outcome(self, run: SourceRun) -> str:
        return f"{run.new} new, {run.changed} changed, {run.hidden} hidden"

    @admin.display(description="why")
    def why(self, run: SourceRun) -> str:
        return " ".join([*run.reasons, run.error])

    @admin.display(description="import")
    def report(self, run: SourceRun) -> str:
        """A link to the import, with its preview and undo."""
        if run.batch is None:
            return "-"
        page = reverse("admin:reviews_importbatch_change", args=[run.batch.pk])
        return format_html('<a href="{}">{}</a>', page, run.batch)

    @admin.action(description="Approve", permissions=["decide"])
    def approve(self, request: HttpRequest, rows: QuerySet[SourceRun]) -> None:
        self._decide(request, rows, services.approve)

    @admin.action(description="Reject", permissions=["decide"])
    def reject(self, request: HttpRequest, rows: QuerySet[SourceRun]) -> None:
        self._decide(request, rows, services.reject)

    def _decide(self, request: HttpRequest, rows: QuerySet[SourceRun], decide: Any) -> None:
        for run in rows:
            try:
                decide(run, by=signed_in_user(request))
            except (services.RunNotWaiting, BatchNotReady) as refused:
                self.message_user(request, f"{run}: {refused}", messages.WARNING)
