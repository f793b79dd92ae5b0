"""Administration of the taxonomies: editor, preview and publication."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.urls import URLPattern, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.base import signed_in_user
from insights import services, taxonomy
from insights.admin.custom_pages import CustomPageAdmin, find_or_404
from insights.admin.forms import TaxonomyForms
from insights.coverage import coverage
from insights.models import Artifact, Taxonomy
from review_analysis.taxonomies import builtin
from reviews.models import Review
from reviews.roster import load_roster

LONGEST_LABEL, MAX_TERMS = 60, 20  # Of an aspect that is made from a theme.
SAMPLE = 1_000  # Newest reviews of a preview, which takes about a second.

OUTDATED = _("Somebody else has changed this draft since you opened it.")
KEEP_AGAIN = _("Save yours again to replace it.")
NEWEST = _("This is how it is now.")


@admin.register(Taxonomy)
class TaxonomyAdmin(CustomPageAdmin):
    list_display = ["name", "state", "edited_by", "edited_at"]
    list_select_related = ["edited_by"]
    list_filter = ["vertical"]
    change_list_template = "admin/insights/taxonomy/list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Taxonomy]:
        return Taxonomy.objects.with_in_force().defer("content")  # Thousands of words in each.

    @admin.display(description=_("version"))
    def name(self, row: Taxonomy) -> str:
        return str(row)

    @admin.display(description=_("state"))
    def state(self, row: Any) -> str:
        if row.version is None:
            return "draft: has no effect yet"
        return "in force" if row.version == row.in_force else "replaced"

    def get_urls(self) -> list[URLPattern]:
        return [
            self.page("preview", self.preview_view, "<int:pk>/preview/"),
            self.page("publish", partial(self.decide_view, publish=True), "<int:pk>/publish/"),
            self.page("discard", partial(self.decide_view, publish=False), "<int:pk>/discard/"),
            self.page("again", self.again_view, "<int:pk>/again/"),
            self.page("aspect", self.aspect_view, "aspect/"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        shown = _in_force(taxonomy.vertical_of_business())
        shown["has_change_permission"] = self.has_change_permission(request)
        return super().changelist_view(request, shown)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Offer to start or continue the draft of the business's vertical; POST does it."""
        vertical = taxonomy.vertical_of_business()
        if request.method != "POST":
            self.require(request, "add")
            return self.render(
                request, "start", title=gettext("Edit the words"), **_in_force(vertical)
            )
        words = builtin(vertical) if "builtin" in request.POST else taxonomy.published(vertical)
        return self._drafted(request, vertical, words)

    def again_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Start a draft from an earlier version, to publish it again."""
        row = self._find(pk)
        if request.method != "POST":
            return _redirect_to(row)
        return self._drafted(request, row.vertical, row.content)

    def aspect_view(self, request: HttpRequest) -> HttpResponse:
        """Add a theme to the draft as an aspect."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        self.require(request, "change")
        vertical = taxonomy.vertical_of_business()
        label = request.POST.get("label", "").strip()[:LONGEST_LABEL]
        terms = [term.strip() for term in request.POST.getlist("term") if term.strip()]
        try:
            draft = services.add_aspect(vertical, label, terms[:MAX_TERMS], signed_in_user(request))
        except services.TaxonomyRefused as refused:
            _show_faults(request, refused)
            return self.to_list()
        messages.success(
            request,
            gettext("“%s” is an aspect of the draft. It takes effect when the draft is published.")
            % label,
        )
        return _redirect_to(draft, "preview")

    def _drafted(
        self, request: HttpRequest, vertical: str, words: Mapping[str, Any]
    ) -> HttpResponse:
        self.require(request, "add")
        draft = taxonomy.draft(vertical)
        if draft is None:
            draft = services.save_draft(vertical, words, signed_in_user(request))
        elif draft.content != words:
            messages.info(
                request, gettext("This draft already exists. Discard it to start another.")
            )
        return _redirect_to(draft)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row = self._find(object_id)
        self.require(request, "view")
        if row.version is not None:
            return self.render(request, "published", title=str(row), taxonomy_version=row)
        forms = TaxonomyForms(row.content, request.POST or None)
        if request.method == "POST":
            self.require(request, "change")
            if forms.is_valid():
                words = forms.content()
                if words == row.content or not _is_outdated(request, row):
                    draft = services.save_draft(row.vertical, words, signed_in_user(request))
                    messages.success(request, gettext("The draft is saved."))
                    return _redirect_to(draft, "preview" if "preview" in request.POST else "change")
                messages.error(request, f"{OUTDATED} {KEEP_AGAIN}")
            else:
                messages.error(request, gettext("Nothing is saved yet: correct the open entries."))
        return self.render(
            request, "edit", title=str(row), taxonomy_version=row, groups=forms.groups
        )

    def preview_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Compare the draft's findings in the newest reviews with those in force."""
        row = self._find(pk)
        self.require(request, "view")
        covered = coverage(
            row.content,
            taxonomy.published(row.vertical),
            load_roster(),
            list(Review.objects.visible().newest_first().customer_texts()[:SAMPLE]),
        )
        return self.render(
            request,
            "preview",
            title=gettext("Preview: %s") % row,
            taxonomy_version=row,
            coverage=covered,
            # A suggested word can become an aspect of this draft only.
            makes_aspects=row.version is None
            and row.vertical == taxonomy.vertical_of_business()
            and self.has_change_permission(request),
        )

    def decide_view(self, request: HttpRequest, pk: int, *, publish: bool) -> HttpResponse:
        """Publish or discard a draft, unless it has changed since the preview."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        self.require(request, "change")
        row = self._find(pk)
        if row.version is not None:
            messages.error(
                request, gettext("This version is not a draft any more; start a new one here.")
            )
            return self.to_list()
        if _is_outdated(request, row):
            messages.error(request, f"{OUTDATED} {NEWEST}")
            return _redirect_to(row, "preview")
        if not publish:
            services.discard_draft(row.vertical)
            messages.success(request, gettext("The draft was deleted."))
            return self.to_list()
        try:
            published = services.publish_draft(row.vertical, signed_in_user(request))
        except services.TaxonomyRefused as refused:
            _show_faults(request, refused)
            return _redirect_to(row)
        messages.success(
            request,
            gettext(
                "Published. All reviews are being analysed again. The insights are updated "
                "afterwards."
            ),
        )
        return _redirect_to(published)

    def _find(self, pk: str | int) -> Taxonomy:
        row: Taxonomy = find_or_404(Taxonomy.objects.all(), pk)
        return row


def _in_force(vertical: str) -> dict[str, Any]:
    """Return the taxonomy in force, the draft, and the themes that neither has."""
    in_force, draft = taxonomy.published(vertical), taxonomy.draft(vertical)
    artifact = Artifact.objects.only("texts").first()
    known = {aspect["label"] for aspect in (draft.content if draft else in_force)["aspects"]}
    found = artifact.texts.get("themes", ()) if artifact else ()
    return {
        "in_force": in_force,
        "draft": draft,
        "themes": [theme for theme in found if theme["label"] not in known],
        "is_built_in": not Taxonomy.objects.published().filter(vertical=vertical).exists(),
    }


def _show_faults(request: HttpRequest, refused: services.TaxonomyRefused) -> None:
    for fault in refused.faults:
        messages.error(request, fault)


def _is_outdated(request: HttpRequest, draft: Taxonomy) -> bool:
    """Whether the draft has changed since the page was opened."""
    return request.POST.get("edited_at") != draft.edited_at.isoformat()


def _redirect_to(row: Taxonomy, page: str = "change") -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse(f"admin:insights_taxonomy_{page}", args=[row.pk]))
