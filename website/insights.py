"""`/insights`: figures about the reviews, and the reviews behind each figure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from insights.complaints import UNRECOGNISED
from insights.documents import evidence, insights_and_bytes, insights_in
from insights.statistics import LABELS
from reviews.documents import dataset_summary
from reviews.models import Review
from reviews.search.query import Words
from reviews.selectors import reviews_of
from website import structured_data
from website.charts import PHONE_MONTHS_SHOWN, PHONE_WIDTH, Row, diverging_bars, scatter, timeline
from website.listing import PAGE
from website.opinions import changes, complaints, counts_by_label, strengths
from website.pages import Page
from website.templatetags.review_tags import signed

FEW = 5  # The page marks subjects with fewer reviews.

Cell = Callable[[Row], str]
STARS: tuple[Words, Cell] = (_("Stars"), lambda row: f"{row['average_rating']:.2f}")
POSITIVE: tuple[Words, Cell] = (_("Positive"), lambda row: f"{row['positive_pct']:.1f}%")
SENTIMENT: tuple[Words, Cell] = (_("Sentiment"), lambda row: signed(row["score"]))
RESOLVED: tuple[Words, Cell] = (_("Resolved"), lambda row: str(row["resolved_count"]))
SHARE: tuple[Words, Cell] = (_("Of all reviews"), lambda row: f"{row['share_pct']:.1f}%")


class Kind(NamedTuple):
    singular: Words
    title: Words = ""  # Of the kind's table; empty if the page has none.
    columns: Sequence[tuple[Words, Cell]] = ()


KINDS: Mapping[str, Kind] = {  # Keys are lists of a `per_review` entry.
    "aspects": Kind(_("Aspect")),
    "technicians": Kind(_("Technician"), _("People"), [STARS, POSITIVE, SENTIMENT]),
    "services": Kind(_("Service"), _("Services"), [STARS, POSITIVE, SENTIMENT]),
    "service_areas": Kind(_("Service area"), _("Areas"), [STARS]),
    "problems": Kind(_("Problem"), _("Problems"), [RESOLVED]),
    "complaints": Kind(_("Complaint")),
    "topics": Kind(_("Topic"), _("Topics"), [SHARE, SENTIMENT]),
}


class InsightsView(Page):
    template_name = "website/insights.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        document = insights_in(get_language() or settings.LANGUAGE_CODE)
        rating = dataset_summary()["aggregate_rating"]
        mean, months = rating["rating_value"] or 0.0, document["temporal"]["monthly"]
        return super().get_context_data(
            insights=document,
            strengths=strengths(document),
            complaints=complaints(document),
            changes=list(changes(document["temporal"])),
            bars=diverging_bars(document["aspects"]),
            scatter=scatter(document["aspects"], mean),
            phone_scatter=scatter(document["aspects"], mean, PHONE_WIDTH),
            timeline=timeline(months),
            phone_timeline=timeline(months, PHONE_WIDTH, PHONE_MONTHS_SHOWN),
            tables=[
                _table(kind, rows)
                for kind, words in KINDS.items()
                if words.title and (rows := _rows(document, kind))
            ],
            few=FEW,
            published_count=rating["review_count"],
            **kwargs,
        )


@dataclass(frozen=True, slots=True)
class EvidenceReview:
    """A review that mentions a subject, with its opinion if the subject is an aspect."""

    review: Review
    opinion: Row | None


class SubjectView(Page):
    """List the reviews that mention one subject, like an aspect or a person."""

    template_name = "website/subject.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        kind, label = kwargs["kind"], kwargs.get("label", "")
        if kind not in KINDS or label not in {"", *LABELS}:
            raise Http404
        document, body = insights_and_bytes()
        subject = _subject(document, kind, kwargs["subject"])
        found = evidence(body, kind, subject["id"], label, request.GET.get("after", ""))
        try:
            entries = dict(islice(found, PAGE + 1))
        except LookupError:
            return redirect(request.path)  # The review before this page was removed.
        return self.render_to_response(
            self.get_context_data(
                kind=KINDS[kind].singular,
                is_person=kind == "technicians",
                subject=subject,
                label=label,
                counts=counts_by_label(subject) if kind == "aspects" else [],
                is_continued="after" in request.GET,
                evidence_reviews=_evidence_reviews(kind, subject["id"], entries),
                older=list(entries)[PAGE - 1] if len(entries) > PAGE else None,
            )
        )

    def structured_data(self, context: Mapping[str, Any]) -> dict[str, Any] | None:
        reviews = [each.review for each in context["evidence_reviews"]]
        return structured_data.page_data(context, reviews)


def _table(kind: str, rows: list[Row]) -> Row:
    _singular, title, columns = KINDS[kind]
    headings = [heading for heading, _cell in columns]
    cells = [(row, [cell(row) for _heading, cell in columns]) for row in rows]
    return {"kind": kind, "title": title, "headings": headings, "rows": cells}


def _rows(document: Row, kind: str) -> list[Row]:
    if kind == "complaints":
        found = document.get(kind, {"items": (), "unrecognised_count": 0})
        unknown = {"id": UNRECOGNISED, "label": _("Not recognised")}
        return [*found["items"], {**unknown, "mention_count": found["unrecognised_count"]}]
    rows: list[Row] = document[kind] if kind in document else document["entities"][kind]
    return rows


def _subject(document: Row, kind: str, key: str) -> Row:
    for row in _rows(document, kind):
        if row["id"] == key:
            return row
    raise Http404


def _evidence_reviews(kind: str, key: str, entries: dict[str, Row]) -> list[EvidenceReview]:
    """Load the first page of these reviews; those hidden meanwhile are left out."""
    return [
        EvidenceReview(review, _opinion(entries[review.ulid], key) if kind == "aspects" else None)
        for review in reviews_of(list(entries)[:PAGE])
    ]


def _opinion(entry: Row, key: str) -> Row:
    aspects: list[Row] = entry["aspects"]
    return next(aspect for aspect in aspects if aspect["id"] == key)
