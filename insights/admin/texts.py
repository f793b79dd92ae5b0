"""Administration of the published texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, reverse
from django.utils.translation import gettext

from core.admin.base import signed_in_user
from insights import services
from insights.admin.custom_pages import CustomPageAdmin
from insights.admin.forms import TextForm
from insights.models import Artifact, InsightText
from insights.selectors import decisions
from reviews.selectors import get_business, reviews_of


@admin.register(InsightText)
class InsightTextAdmin(CustomPageAdmin):
    """A list of all texts, automatic or edited, and a page for each."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        pages = [
            self.page("whole", self.edit_view, "<str:kind>/"),
            self.page("edit", self.edit_view, "<str:kind>/<slug:slug>/"),
        ]
        return [super().get_urls()[0], *pages]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self.require(request, "view")
        business = get_business()
        return self.render(
            request,
            "list",
            title=gettext("Published texts"),
            rows=_texts(),
            has_vertical=business is not None and business.has_vertical,
        )

    def edit_view(self, request: HttpRequest, kind: str, slug: str = "") -> HttpResponse:
        self.require(request, "view")
        shown = next((text for text in _texts() if (text.kind, text.slug) == (kind, slug)), None)
        if shown is None:
            raise Http404
        form = TextForm(kind, request.POST or None, instance=shown.decided or InsightText())
        if request.method == "POST":
            self.require(request, "change")
            if "release" in request.POST:
                services.reset_text(kind, slug)
                messages.success(request, gettext("The automatic text is published again."))
                return self.to_list()
            if form.is_valid():
                services.decide_text(
                    kind,
                    slug,
                    signed_in_user(request),
                    **form.cleaned_data,
                    evidence_ids=shown.review_ids,
                )
                messages.success(
                    request, gettext("Saved. The next build of the insights publishes it.")
                )
                return self.to_list()
        evidence = reviews_of(shown.review_ids)
        return self.render(
            request, "edit", title=shown.title, form=form, shown=shown, evidence=evidence
        )


@dataclass(frozen=True)
class _Text:
    """A text: the automatic one, the decision about it, and the published one."""

    kind: str
    slug: str
    automatic: Mapping[str, Any]
    published: Mapping[str, Any]
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
        words = ["edited by hand" if decided.text else "written from the numbers"]
        words += ["not published"] if self.is_left_out else []
        words += ["locked"] if decided.locked else []
        words += ["pinned"] if decided.pinned else []
        return ", ".join(words)

    @property
    def text(self) -> str:
        """The published text."""
        return str(self.published.get("answer") or self.published.get("text", ""))

    @property
    def is_left_out(self) -> bool:
        """Whether the edited text is not published."""
        return self.decided is not None and not self.text.startswith(self.decided.text)

    @property
    def review_ids(self) -> list[str]:
        """The evidence of the automatic text."""
        return list(self.automatic.get("review_ids", ()))

    @property
    def link(self) -> str:
        page, args = ("edit", [self.kind, self.slug]) if self.slug else ("whole", [self.kind])
        return reverse(f"admin:insights_insighttext_{page}", args=args)


def _texts() -> list[_Text]:
    """Return the summary, the quote and the questions, also those without an automatic text."""
    artifact = Artifact.objects.only("texts").first()
    texts = artifact.texts if artifact else {}
    automatic, published = _by_key(texts), _by_key(texts.get("published", {}))
    decided = decisions()
    keys = [*automatic, *(key for key in sorted(decided) if key not in automatic)]
    return [
        _Text(*key, automatic.get(key, {}), published.get(key, {}), decided.get(key))
        for key in keys
    ]


def _by_key(texts: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return the texts of an artifact by kind and slug."""
    return {
        ("summary", ""): texts.get("summary") or {},
        ("pull_quote", ""): texts.get("pull_quote") or {},
        **{("faq", question["slug"]): question for question in texts.get("questions", ())},
    }
