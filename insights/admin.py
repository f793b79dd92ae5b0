"""Where an administrator curates the insights: words, findings, texts, and the runs so far.

Every page works without JavaScript; every button is a POST that calls a service.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.text import Truncator

from insights import drafts, services, taxonomy
from insights.admin_forms import CHOICES, CorrectionForm, TaxonomyForms, TextForm, TryForm
from insights.analysis import Analyser
from insights.coverage import coverage
from insights.marked import marked
from insights.models import (
    AnalysisRun,
    Artifact,
    ChatDay,
    InsightText,
    Override,
    ReviewAnalysis,
    Taxonomy,
)
from insights.records import load
from insights.selectors import current_basis
from reviews.admin_lists import ChoiceFilter
from reviews.import_admin import user_of
from reviews.models import Review
from reviews.roster import load_roster

if TYPE_CHECKING:
    BaseAdmin = admin.ModelAdmin[Any]
else:
    BaseAdmin = admin.ModelAdmin

Source = InsightText.Source
SAMPLE = 1_000  # Reviews that a preview reads: the newest, about a second's work.


class Workshop(BaseAdmin):
    """Pages of our own in place of the usual form."""

    actions = None

    class Media:
        css = {"all": ["insights/admin.css"]}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def button(self, name: str, act: Callable[..., HttpResponse]) -> URLPattern:
        view = self.admin_site.admin_view(act)
        return path(f"<int:pk>/{name}/", view, name=f"insights_{self.opts.model_name}_{name}")

    def render(self, request: HttpRequest, page: str, **context: Any) -> TemplateResponse:
        shown = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "media": self.media,
            "has_change_permission": self.has_change_permission(request),
        }
        template = f"admin/insights/{self.opts.model_name}/{page}.html"
        return TemplateResponse(request, template, shown | context)

    def to_list(self) -> HttpResponseRedirect:
        return HttpResponseRedirect(reverse(f"admin:insights_{self.opts.model_name}_changelist"))

    def require_view(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def require_change(self, request: HttpRequest) -> None:
        if not self.has_change_permission(request):
            raise PermissionDenied


# --- Words ----------------------------------------------------------------------------------------


@admin.register(Taxonomy)
class TaxonomyAdmin(Workshop):
    list_display = ["edition", "state", "edited_by", "edited_at"]
    list_select_related = ["edited_by"]
    list_filter = ["vertical"]
    change_list_template = "admin/insights/taxonomy/list.html"

    @admin.display(description="edition")
    def edition(self, edition: Taxonomy) -> str:
        return str(edition)

    @admin.display(description="state")
    def state(self, edition: Taxonomy) -> str:
        if edition.version is None:
            return "draft: counts for nothing yet"
        in_force = taxonomy.published(edition.vertical)["version"]
        return "in force" if edition.version == in_force else "replaced"

    def get_urls(self) -> list[URLPattern]:
        return [
            self.button("preview", self.preview_view),
            self.button("publish", self.publish_view),
            self.button("discard", self.discard_view),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        vertical = taxonomy.vertical_of_business()
        in_force = taxonomy.published(vertical)
        return super().changelist_view(
            request,
            {
                "in_force": in_force,
                "draft": taxonomy.draft(vertical),
                "is_built_in": not Taxonomy.objects.published().filter(vertical=vertical).exists(),
            },
        )

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Start a draft for the business's vertical, or go on with it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return self.to_list()
        vertical = taxonomy.vertical_of_business()
        draft = taxonomy.draft(vertical)
        if draft is None:
            draft = services.save_draft(vertical, taxonomy.published(vertical), user_of(request))
        return _to(draft)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        edition = self._edition(object_id)
        self.require_view(request)
        if edition.version is not None:
            return self.render(request, "published", title=str(edition), edition=edition)
        forms = TaxonomyForms(edition.content, request.POST or None)
        if request.method == "POST":
            self.require_change(request)
            if forms.is_valid():
                return self._act(
                    request,
                    edition,
                    lambda: services.save_draft(
                        edition.vertical, forms.content(), user_of(request)
                    ),
                    "preview" if "preview" in request.POST else "change",
                    "The draft is kept.",
                )
        return self.render(
            request, "edit", title=str(edition), edition=edition, groups=forms.groups
        )

    def preview_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """What the draft would find in the newest reviews, beside what is found now."""
        edition = self._edition(pk)
        self.require_view(request)
        newest = Review.objects.visible().exclude(text="").newest_first()
        found = coverage(
            edition.content,
            taxonomy.published(edition.vertical),
            load_roster(),
            list(newest.values_list("text", flat=True)[:SAMPLE]),
        )
        return self.render(
            request, "preview", title=f"Preview: {edition}", edition=edition, coverage=found
        )

    def publish_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        edition = self._edition(pk)
        return self._act(
            request,
            edition,
            lambda: services.publish_draft(edition.vertical, user_of(request)),
            "change",
            "Published. All reviews are read again; the insights follow when that is done.",
        )

    def discard_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        edition = self._edition(pk)
        return self._act(
            request,
            edition,
            lambda: services.discard_draft(edition.vertical),
            "",
            "The draft is gone.",
        )

    def _act(
        self,
        request: HttpRequest,
        edition: Taxonomy,
        act: Callable[[], Taxonomy | None],
        page: str,
        done: str,
    ) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        self.require_change(request)
        if edition.version is not None:
            messages.error(request, "This edition is no draft any more; start a new one here.")
            return self.to_list()
        try:
            changed = act()
        except services.TaxonomyRefused as refused:
            for fault in refused.faults:
                messages.error(request, fault)
            return _to(edition)
        messages.success(request, done)
        return _to(changed, page) if changed else self.to_list()

    def _edition(self, pk: str | int) -> Taxonomy:
        edition: Taxonomy = _found(Taxonomy.objects.all(), pk)
        return edition


def _to(edition: Taxonomy, page: str = "change") -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse(f"admin:insights_taxonomy_{page}", args=[edition.pk]))


# --- Findings -------------------------------------------------------------------------------------


class CorrectedFilter(ChoiceFilter):
    title, parameter_name = "corrected", "corrected"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Yes"), ("no", "No")]

    def narrow(self, analyses: Any, value: str) -> Any:
        return analyses.filter(review__overrides__isnull=value == "no").distinct()


@admin.register(ReviewAnalysis)
class ReviewAnalysisAdmin(Workshop):
    list_display = ["shown_review", "rating", "sentiment", "shown_score", "model", "analysed_at"]
    list_filter = ["sentiment", CorrectedFilter, "model"]
    list_select_related = ["review"]
    search_fields = ["review__text", "review__author", "review__ulid"]
    ordering = ["-review__date", "-review__ulid"]
    show_full_result_count = False
    list_per_page = 50
    change_list_template = "admin/insights/reviewanalysis/list.html"

    @admin.display(description="review")
    def shown_review(self, analysis: ReviewAnalysis) -> str:
        return Truncator(analysis.review.text or "(stars alone)").chars(80)

    @admin.display(description="stars", ordering="review__rating")
    def rating(self, analysis: ReviewAnalysis) -> str:
        return "★" * analysis.review.rating

    @admin.display(description="score", ordering="score")
    def shown_score(self, analysis: ReviewAnalysis) -> str:
        return f"{analysis.score / 1000:+.2f}"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.try_view)
        return [path("try/", view, name="insights_reviewanalysis_try"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """What a review says, with the place of each finding; each may be corrected."""
        analysis = _found(ReviewAnalysis.objects.select_related("review"), object_id)
        self.require_view(request)
        review, basis = analysis.review, current_basis()
        overrides = list(Override.objects.filter(review=review).select_related("user"))
        names = {group: basis.names.of(group) for group in CHOICES}
        form = CorrectionForm(names, load(analysis.record), overrides, request.POST or None)
        if request.method == "POST":
            self.require_change(request)
            if form.is_valid():
                changed = services.correct_all(review, form.cleaned_data, user_of(request))
                messages.success(request, _kept(changed))
                return HttpResponseRedirect(request.path)
        reading = Analyser(basis.taxonomy, basis.roster).read(
            review.text, review.rating, review.date
        )
        return self.render(
            request,
            "review",
            title="What a review says",
            analysis=analysis,
            review=review,
            form=form,
            overrides=overrides,
            marked=marked(review.text, reading),
        )

    def try_view(self, request: HttpRequest) -> HttpResponse:
        """Paste a sentence, see what is found in it and why."""
        self.require_view(request)
        draft = taxonomy.draft(taxonomy.vertical_of_business())
        form = TryForm(request.POST or None)
        result = None
        if request.method == "POST" and form.is_valid():
            text, rating = form.cleaned_data["text"], form.cleaned_data["rating"]
            content = taxonomy.in_force()
            if draft and form.cleaned_data["draft"]:
                content = draft.content
            result = marked(text, Analyser(content, load_roster()).read(text, rating))
        return self.render(
            request, "try", title="Try a sentence", form=form, marked=result, draft=draft
        )


def _kept(changed: int) -> str:
    if not changed:
        return "Nothing was changed."
    return "Kept. The insights follow as soon as the review has been read again."


# --- Runs -----------------------------------------------------------------------------------------


class Journal(BaseAdmin):
    """What the service has noted; nobody writes it by hand."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(AnalysisRun)
class AnalysisRunAdmin(Journal):
    list_display = ["started_at", "reason", "progress", "finished_at", "taxonomy", "model", "error"]

    @admin.display(description="progress")
    def progress(self, run: AnalysisRun) -> str:
        share = 100 * run.done // run.total if run.total else 100
        return f"{run.done:,} of {run.total:,} ({share} %)"


@admin.register(ChatDay)
class ChatDayAdmin(Journal):
    """What a language model was asked, beside the budget, and how often the rules stood in."""

    list_display = ["day", "reviews", "tokens", "fallbacks"]


# --- Texts ----------------------------------------------------------------------------------------


@admin.register(InsightText)
class InsightTextAdmin(Workshop):
    """The published texts, automatic or decided, each with its own page."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.edit_view)
        pages = [
            path("<str:kind>/", view, {"slug": ""}, name="insights_insighttext_whole"),
            path("<str:kind>/<slug:slug>/", view, name="insights_insighttext_edit"),
        ]
        return [super().get_urls()[0], *pages]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self.require_view(request)
        return self.render(request, "list", title="Published texts", rows=_texts())

    def edit_view(self, request: HttpRequest, kind: str, slug: str) -> HttpResponse:
        self.require_view(request)
        shown = next((text for text in _texts() if (text.kind, text.slug) == (kind, slug)), None)
        if shown is None:
            raise Http404
        form = TextForm(kind, request.POST or None, instance=shown.decided)
        if request.method == "POST":
            self.require_change(request)
            if "release" in request.POST:
                services.leave_text_to_numbers(kind, slug)
                messages.success(request, "The automatic text is published again.")
                return self.to_list()
            if form.is_valid():
                decided = form.cleaned_data
                services.decide_text(
                    kind,
                    slug,
                    user_of(request),
                    **decided,
                    source=Source.EDITED if decided["text"] else Source.AUTO,
                    evidence_ids=shown.automatic.get("review_ids", []),
                )
                messages.success(request, "Kept; published with the next build of the insights.")
                return self.to_list()
        return self.render(request, "edit", title=shown.title, form=form, shown=shown)


@dataclass(frozen=True)
class _Text:
    """A published text: what the numbers say, and what was decided about it."""

    kind: str
    slug: str
    automatic: Mapping[str, Any]
    decided: InsightText | None

    @property
    def title(self) -> str:
        question = self.decided.question if self.decided else ""
        return question or self.automatic.get("question") or InsightText.Kind(self.kind).label

    @property
    def state(self) -> str:
        decided = self.decided
        if decided is None:
            return "automatic" if self.automatic else "automatic: nothing to say yet"
        if decided.hidden:
            return "hidden"
        words = [decided.get_source_display().lower()]
        words += ["not published"] if self.doubts else []
        words += ["locked"] if decided.locked else []
        words += ["pinned"] if decided.pinned else []
        return ", ".join(words)

    @property
    def doubts(self) -> list[str]:
        """Why the draft of a language model is not published, if it is none."""
        if not self.decided or self.decided.source != Source.LLM:
            return []
        return drafts.doubts(self.decided.text, drafts.told(self.automatic))

    @property
    def text(self) -> str:
        words = self.decided.text if self.decided and not self.doubts else ""
        return words or self.automatic.get("answer") or self.automatic.get("text", "")

    @property
    def link(self) -> str:
        if self.slug:
            return reverse("admin:insights_insighttext_edit", args=[self.kind, self.slug])
        return reverse("admin:insights_insighttext_whole", args=[self.kind])


def _texts() -> list[_Text]:
    """Summary, quote and questions, with those that only an administrator's row keeps."""
    artifact = Artifact.objects.defer("body").first()
    automatic: Mapping[str, Any] = artifact.texts if artifact else {}
    decided = {(text.kind, text.slug): text for text in InsightText.objects.all()}
    found: dict[tuple[str, str], Mapping[str, Any]] = {
        (kind, ""): automatic.get(kind) or {} for kind in ("summary", "pull_quote")
    }
    found |= {("faq", question["slug"]): question for question in automatic.get("questions", ())}
    keys = [*found, *(key for key in sorted(decided) if key not in found)]
    return [_Text(*key, found.get(key, {}), decided.get(key)) for key in keys]


# --- Common parts ---------------------------------------------------------------------------------


def _found(rows: Any, pk: str | int) -> Any:
    if not str(pk).isdecimal() or len(str(pk)) > 18:
        raise Http404
    row = rows.filter(pk=pk).first()
    if row is None:
        raise Http404
    return row
