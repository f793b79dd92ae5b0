"""Administration of the findings: corrections, a form to try a sentence, runs, and model use."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.base import KeyPaginator, ReadOnlyAdmin, choice_filter, signed_in_user
from insights import services, taxonomy
from insights.admin.custom_pages import CustomPageAdmin, find_or_404
from insights.admin.forms import CHOICES, CorrectionForm, TryForm
from insights.aggregate import Names
from insights.annotated_text import annotate
from insights.findings import load
from insights.models import AnalysisRun, ChatDay, Override, ReviewAnalysis
from insights.selectors import current_inputs, rules_analyser
from review_analysis.text import fold_for_search
from reviews.roster import load_roster


def _are_corrected(analyses: QuerySet[Any], value: str) -> QuerySet[Any]:
    # A join would need DISTINCT, which compares whole records.
    is_corrected = Exists(Override.objects.filter(review=OuterRef("review")))
    return analyses.filter(is_corrected if value == "yes" else ~is_corrected)


@admin.register(ReviewAnalysis)
class ReviewAnalysisAdmin(CustomPageAdmin):
    list_display = ["shown_review", "rating", "sentiment", "shown_score", "analysed_at"]
    list_filter = [
        "sentiment",
        choice_filter("corrected", [("yes", _("Yes")), ("no", _("No"))], _are_corrected),
        "model",
    ]
    list_select_related = ["review"]
    search_fields = ["review__text_folded__contains", "review__author", "review__ulid"]
    ordering = ["-review__date", "-review__ulid"]
    show_full_result_count = False
    list_per_page = 50
    paginator = KeyPaginator
    change_list_template = "admin/insights/reviewanalysis/list.html"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        return super().get_search_results(request, queryset, fold_for_search(search_term))

    @admin.display(description=_("review"))
    def shown_review(self, analysis: ReviewAnalysis) -> str:
        return Truncator(analysis.review.customer_text or "(stars alone)").chars(80)

    @admin.display(description=_("stars"), ordering="review__rating")
    def rating(self, analysis: ReviewAnalysis) -> str:
        return "★" * analysis.review.customer_rating

    @admin.display(description=_("score"), ordering="score")
    def shown_score(self, analysis: ReviewAnalysis) -> str:
        return f"{analysis.score / 1000:+.2f}"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        return [self.page("try", self.try_view, "try/"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the findings of a review in its text, with a form to correct them."""
        analysis = find_or_404(ReviewAnalysis.objects.select_related("review"), object_id)
        self.require(request, "view")
        review, inputs = analysis.review, current_inputs()
        overrides = list(Override.objects.filter(review=review).select_related("user"))
        names = {group: inputs.names.of(group) for group in CHOICES}
        findings = load(analysis.record)
        form = CorrectionForm(
            review.customer_rating, names, findings, overrides, request.POST or None
        )
        if request.method == "POST":
            self.require(request, "change")
            if not review.is_rewritten and form.is_valid():
                message = gettext("Nothing was changed.")
                if services.correct_all(review, form.cleaned_data, signed_in_user(request)):
                    message = gettext(
                        "Saved. The insights are updated as soon as the review has been "
                        "analysed again."
                    )
                messages.success(request, message)
                return HttpResponseRedirect(request.path)
        rules = rules_analyser()
        analyser = rules.compile(inputs.taxonomy, inputs.roster)
        reading = analyser.read(review.customer_text, review.customer_rating, review.date)
        return self.render(
            request,
            "review",
            title=gettext("Findings of a review"),
            analysis=analysis,
            review=review,
            form=form,
            corrections=[(*form.in_words(made.path, made.value), made) for made in overrides],
            marked=annotate(review.customer_text, reading, inputs.names),
            rules=rules.model_id,
        )

    def try_view(self, request: HttpRequest) -> HttpResponse:
        """Show what is found in a pasted sentence, and why."""
        self.require(request, "view")
        draft = taxonomy.draft(taxonomy.vertical_of_business())
        form = TryForm(request.POST or None)
        result = None
        if request.method == "POST" and form.is_valid():
            text, rating = form.cleaned_data["text"], form.cleaned_data["rating"]
            content = taxonomy.in_force()
            if draft and form.cleaned_data["draft"]:
                content = draft.content
            roster = load_roster()
            reading = rules_analyser().compile(content, roster).read(text, rating)
            result = annotate(text, reading, Names.collect(content, roster))
        return self.render(
            request, "try", title=gettext("Try a sentence"), form=form, marked=result, draft=draft
        )


# --- Runs and model use ---------------------------------------------------------------------------


@admin.register(AnalysisRun)
class AnalysisRunAdmin(ReadOnlyAdmin):
    list_display = ["started_at", "reason", "progress", "finished_at", "taxonomy", "model", "error"]
    exclude = ["basis"]

    @admin.display(description=_("progress"))
    def progress(self, run: AnalysisRun) -> str:
        share = 100 * run.done // run.total if run.total else 100
        return f"{run.done:,} of {run.total:,} ({share} %)"


@admin.register(ChatDay)
class ChatDayAdmin(ReadOnlyAdmin):
    list_display = ["day", "reviews", "tokens", "fallbacks"]
