"""Admin of sources: forms by connector, status, and buttons to poll, pause or resume."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from core.admin.base import EditableModelAdmin, choice_filter
from imports.templatetags.sentences import translated
from sources import selectors, services
from sources.admin import google
from sources.admin.forms import ConnectionForm
from sources.admin.runs import decide
from sources.connectors import CONNECTORS, NOT_OFFERED, RECIPES, connector_of, folder, offered
from sources.connectors.protocol import Connector
from sources.models import SourceConnection, SourceRun

REFRESH_SECONDS = 2
CHECK = "_check"  # The button “Save and check first”.
Sentence = str | Promise
# By the value of the button: the change, and the message after it.
BUTTONS: Mapping[str, tuple[Callable[[SourceConnection], Any], Sentence]] = {
    "look": (
        services.poll_now,
        _("The source is being checked. The result appears under “Results”."),
    ),
    "resume": (services.resume, _("The source is checked now, and then at its interval.")),
    "pause": (services.pause, _("The source is not checked until you resume it.")),
    "rotate": (
        services.rotate_token,
        _("The source has a new address. The former one no longer works."),
    ),
    "accept": (
        services.accept_size,
        _("This number of reviews is now accepted as the usual one."),
    ),
}
DECISIONS: Mapping[str, tuple[Callable[..., None], Sentence]] = {
    "approve": (services.approve, _("The reviews are being imported.")),
    "reject": (services.reject, _("Nothing was imported.")),
}
SHARED = ("source", "interval_seconds", "is_complete", "holds_new")
STATUS = ("state", "last_look_at", "next_look", "came", "waits", "trouble")


@admin.register(SourceConnection)
class SourceConnectionAdmin(EditableModelAdmin):
    list_display = (
        *("name", "kind_label", "state", "last_look_at", "next_look"),
        *("last_change_at", "numbers", "trouble"),
    )
    empty_value_display = _("never")
    list_filter = (
        "state",
        choice_filter(
            "kind",
            [(each.name, each.label) for each in CONNECTORS.values()],
            lambda rows, value: rows.filter(kind=value),
        ),
    )
    actions = ("check_now", "resume", "pause")
    readonly_fields = ("grant", "send_to", *STATUS)
    change_form_template = "admin/sources/sourceconnection/connection.html"

    # --- Columns ----------------------------------------------------------------------------------

    @admin.display(description=_("kind"))
    def kind_label(self, connection: SourceConnection) -> str:
        return str(connector_of(connection).label)

    @admin.display(description=_("next check"), ordering="next_look_at")
    def next_look(self, connection: SourceConnection) -> str:
        """The time of the next poll. Connectors that only take pushes are never polled."""
        if not connector_of(connection).is_fetched:
            return gettext("never: it sends its reviews here")
        if connection.state != SourceConnection.State.ACTIVE:
            return gettext("not until you resume it")
        moment = connection.next_look_at
        is_due = moment <= timezone.now()
        return gettext("now") if is_due else localize(timezone.localtime(moment))

    @admin.display(description=_("reviews"))
    def numbers(self, connection: SourceConnection) -> str:
        """The number of reviews that the source listed, of those it says it has."""
        listed, expected = connection.last_rows, connection.expected_rows
        if expected is None:
            return str(listed or "-")
        if listed:
            return gettext("%(listed)d of %(all)d") % {"listed": listed, "all": expected}
        return gettext("the source has %(all)d") % {"all": expected}

    @admin.display(description=_("last problem"))
    def trouble(self, connection: SourceConnection) -> str:
        alarm = next(selectors.alarms_of(connection), None)
        return alarm.sentence if alarm else translated(connection.last_error) or gettext("none")

    @admin.display(description=_("results"))
    def came(self, connection: SourceConnection) -> str:
        """The sums of all imports, with a link to the runs."""
        sums = connection.runs.aggregate(new=Sum("new"), changed=Sum("changed"), gone=Sum("hidden"))
        page = reverse("admin:sources_sourcerun_changelist")
        link = format_html(
            '<a href="{}?connection__id__exact={}">{}</a>',
            page,
            connection.pk,
            selectors.change_summary(*(sums[name] or 0 for name in ("new", "changed", "gone"))),
        )
        looks = ngettext(
            "in %(looks)d check, %(unchanged)d of them without change",
            "in %(looks)d checks, %(unchanged)d of them without change",
            connection.looks,
        )
        numbers = {"looks": connection.looks, "unchanged": connection.looks_without_change}
        return format_html("{} {}", link, looks % numbers)

    @admin.display(description=_("waiting for you"))
    def waits(self, connection: SourceConnection) -> str:
        """Links to the run that waits for approval, and to reviews that wait for release."""
        found = []
        if selectors.waiting_runs().filter(connection=connection).exists():
            page = reverse("admin:sources_check", args=[connection.pk])
            found.append((page, gettext("An import needs your approval")))
        held = selectors.unreleased_reviews().filter(
            created_by_batch__source_run__connection=connection
        )
        if count := held.count():
            page = f"{reverse('admin:reviews_review_changelist')}?state=hidden"
            text = ngettext("%d new review waits for you", "%d new reviews wait for you", count)
            found.append((page, text % count))
        links = format_html_join(mark_safe("<br>"), '<a href="{}">{}</a>', found)
        return links or gettext("nothing")

    @admin.display(description=_("where to put its files"))
    def send_to(self, connection: SourceConnection) -> str:
        """The watched folder, or the push address with an example request."""
        if connection.kind == folder.CONNECTOR.name:
            return str(folder.CONNECTOR.help)
        address = selectors.push_address(connection)
        if not address:
            return "-"
        return format_html(
            '<input type="text" readonly size="90" value="{0}" aria-label="{1}">'
            '<p class="source-address">{2} <code>curl {0} -H &quot;Content-Type: '
            "application/json&quot; -d @reviews.json</code></p>",
            address,
            gettext("Address to send to"),
            gettext("This address only allows sending reviews to this source. Try it:"),
        )

    @admin.display(description=_("access"))
    def grant(self, connection: SourceConnection) -> str:
        """A link to the page where access is granted, for connectors that need it."""
        url_name = connector_of(connection).grant_url_name
        if not url_name:
            return "-"
        page = reverse(url_name, args=[connection.pk])
        count = len(connection.settings.get("locations", []))
        again = ngettext("%d location. Connect again", "%d locations. Connect again", count)
        text = again % count if count else gettext("Connect with Google")
        return format_html('<a href="{}">{}</a>', page, text)

    # --- Forms ------------------------------------------------------------------------------------

    def get_form(
        self,
        request: HttpRequest,
        obj: SourceConnection | None = None,
        change: bool = False,  # noqa: FBT001, FBT002  (Django's)
        **kwargs: Any,
    ) -> Any:
        connector = _connector(request, obj)
        members = {**deepcopy(connector.form.base_fields), "connector": connector}
        kwargs["form"] = type("ConnectorConnectionForm", (ConnectionForm,), members)
        return super().get_form(request, obj, change=change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: SourceConnection | None = None) -> Any:
        connector = _connector(request, obj)
        own = ["name", *connector.form.base_fields]
        sets: list[Any] = [
            (None, {"fields": own, "description": connector.help}),
            (_("Schedule and options"), {"fields": list(SHARED), "description": connector.terms}),
        ]
        if obj:
            status = list(STATUS)
            if connector.grant_url_name:
                status.append("grant")
            if connector.takes_posts or connector.name == folder.CONNECTOR.name:
                status.append("send_to")
            sets.insert(0, (_("Status"), {"fields": status}))
        return sets

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        connector = _connector(request)
        return {"name": connector.label, "interval_seconds": connector.interval_seconds}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        is_checked_first = CHECK in request.POST
        if not change and (is_checked_first or form.connector.grant_url_name):
            obj.state = SourceConnection.State.PAUSED
        services.save_connection(obj, form.kind_form)
        if is_checked_first:
            services.preview_now(obj)

    # --- Pages ------------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/check/", wrap(self.check_view), name="sources_check"),
            path("<int:pk>/do/", wrap(require_POST(self.do_view)), name="sources_do"),
            *google.urls(),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Choose a connector, then fill in its form."""
        if request.GET.get("kind") in CONNECTORS:
            context = {"title": gettext("Add a source: %s") % _connector(request).label}
            return super().add_view(request, form_url, {**(extra_context or {}), **context})
        if not self.has_add_permission(request):
            raise PermissionDenied
        context = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "title": gettext("Add a source: where are the reviews?"),
            "connectors": offered(),
            "not_offered": NOT_OFFERED,
        }
        return TemplateResponse(request, "admin/sources/sourceconnection/connectors.html", context)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["connector"] = _connector(request, context["original"])
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(
        self, request: HttpRequest, obj: SourceConnection, post_url_continue: Any = None
    ) -> HttpResponse:
        """Lead to the next step: the grant, the preview, or the push address."""
        connector = connector_of(obj)
        if connector.grant_url_name:
            self.message_user(request, gettext("Saved. Now connect it with Google, below."))
        elif CHECK in request.POST:
            return redirect("admin:sources_check", pk=obj.pk)
        elif connector.is_fetched:
            said = gettext("Saved. The source is being checked.")
            self.message_user(request, said, messages.SUCCESS)
        else:
            said = gettext("Saved. Copy the address to send to, below.")
            self.message_user(request, said, messages.SUCCESS)
        return redirect("admin:sources_sourceconnection_change", obj.pk)

    def response_change(self, request: HttpRequest, obj: SourceConnection) -> HttpResponse:
        if CHECK in request.POST:
            return redirect("admin:sources_check", pk=obj.pk)
        return super().response_change(request, obj)

    def check_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the result of a poll. The page refreshes itself until the poll has ended."""
        connection = self._changeable(request, pk)
        run = connection.runs.order_by("-pk").defer("content").first()
        is_looking = (
            connection.requested != SourceConnection.Request.NONE
            or connection.claimed_until is not None
            or (run is not None and run.state == SourceRun.State.STORED)
        )
        is_waiting = run is not None and run.state == SourceRun.State.WAITING
        context = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "original": connection,
            "title": gettext("Check %s") % connection.name,
            "run": run,
            "is_looking": is_looking and not is_waiting,
            "is_waiting": is_waiting,
            "seconds": REFRESH_SECONDS,
        }
        return TemplateResponse(request, "admin/sources/sourceconnection/check.html", context)

    def do_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Run the action of one button on the pages of a source."""
        connection = self._changeable(request, pk)
        button = request.POST.get("do", "")
        if button == "check":
            services.preview_now(connection)
            return redirect("admin:sources_check", pk=connection.pk)
        if button in DECISIONS:
            self._decide(request, connection, button)
        elif button in BUTTONS:
            change, sentence = BUTTONS[button]
            change(connection)
            self.message_user(request, str(sentence))
        return redirect("admin:sources_sourceconnection_change", connection.pk)

    def _decide(self, request: HttpRequest, connection: SourceConnection, button: str) -> None:
        """Approve or reject the newest run. An approval also starts the source."""
        run = connection.runs.order_by("-pk").first()
        if run is None:
            return
        decision, sentence = DECISIONS[button]
        if button == "approve":
            services.resume(connection)
        if decide(request, run, decision):
            self.message_user(request, str(sentence))

    def _changeable(self, request: HttpRequest, pk: int) -> SourceConnection:
        connection = get_object_or_404(SourceConnection, pk=pk)
        if not self.has_change_permission(request, connection):
            raise PermissionDenied
        return connection

    # --- Actions ----------------------------------------------------------------------------------

    @admin.action(description=_("Check now with a preview"), permissions=["change"])
    def preview_now(self, request: HttpRequest, rows: QuerySet[SourceConnection]) -> None:
        for connection in rows:
            services.preview_now(connection)
        said = gettext("The sources are being checked. New reviews wait for your approval.")
        self.message_user(request, said)

    @admin.action(description=_("Resume"), permissions=["change"])
    def resume(self, request: HttpRequest, rows: QuerySet[SourceConnection]) -> None:
        for connection in rows:
            services.resume(connection)

    @admin.action(description=_("Pause"), permissions=["change"])
    def pause(self, request: HttpRequest, rows: QuerySet[SourceConnection]) -> None:
        for connection in rows:
            services.pause(connection)


def _connector(request: HttpRequest, connection: SourceConnection | None = None) -> Connector:
    """Return the connector of a source, or the one that is chosen for a new source.

    A posted recipe text defines the inputs of the form.
    """
    if connection is None:
        recipe = {"recipe": request.GET["recipe"]} if request.GET.get("recipe") in RECIPES else {}
        connection = SourceConnection(kind=request.GET.get("kind", ""), settings=recipe)
    text = request.POST.get("recipe_text")
    if text is None or connection.settings.get("recipe"):
        return connector_of(connection)
    written = {**connection.settings, "recipe_text": text}
    return connector_of(SourceConnection(kind=connection.kind, settings=written))
