"""Select the inputs of analyses, the reviews that are due, and the records to count."""

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson
from django.conf import settings
from django.db.models import Case, F, Q, QuerySet, TextField, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.utils.module_loading import import_string

from core.source_digest import source_digest
from insights import taxonomy
from insights.aggregate import Names
from insights.backends import ReviewAnalyser, RulesAnalyser
from insights.findings import AnalysedReview, load
from insights.models import Artifact, InsightText
from insights.statistics import SentimentTotals, month_of, trend
from review_analysis.name_matching import Roster
from reviews.models import CUSTOMER_RATING, CUSTOMER_TEXT, Review
from reviews.roster import digest, load_roster

# Code that determines the findings of a review.
ANALYSIS_SOURCES = (
    "review_analysis",
    "review_analysis_neural",
    "insights/store_findings.py",
    "insights/backends.py",
    "insights/findings.py",
    "insights/neural.py",
)
DATASET_SOURCES = ("insights", "review_analysis", "reviews/stars.py")
CHUNK = 500
# Columns of the facts in `AnalysedReview`.
FACTS: Mapping[str, str | Combinable] = {
    "ulid": "ulid",
    "author": "author",
    "rating": CUSTOMER_RATING,
    "date": "date",
    "text": CUSTOMER_TEXT,
    "model": "analysis__model",
}


@cache
def analyser() -> ReviewAnalyser:
    """The analyser of the setting INSIGHTS_ANALYSER."""
    instance: ReviewAnalyser = import_string(settings.INSIGHTS_ANALYSER)()
    return instance


def rules_analyser() -> RulesAnalyser:
    """The analyser if it uses rules, otherwise the built-in one."""
    current = analyser()
    return current if isinstance(current, RulesAnalyser) else RulesAnalyser()


def code_digest() -> str:
    """Digest of everything except rows that determines the dataset: our code and the analyser."""
    return _hash(source_digest(*DATASET_SOURCES), analyser().model_id)


# --- Inputs ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class AnalysisInputs:
    """Taxonomy and roster of the analyses; `digest` also covers the analyser and its code."""

    taxonomy: Mapping[str, Any]
    roster: Roster
    digest: str

    @property
    def names(self) -> Names:
        """Names of the taxonomy and the roster."""
        return Names.collect(self.taxonomy, self.roster)


def current_inputs() -> AnalysisInputs:
    """The current inputs; the same object until they change, so that it is compiled once."""
    content, roster = taxonomy.in_force(), load_roster()
    words = orjson.dumps(content).decode()
    code = source_digest(*ANALYSIS_SOURCES)
    current = _hash(code, analyser().model_id, words, str(digest(roster)))[:32]
    if not _inputs_cache or _inputs_cache[0].digest != current:
        _inputs_cache[:] = [AnalysisInputs(content, roster, current)]
    return _inputs_cache[0]


_inputs_cache: list[AnalysisInputs] = []


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()


# --- Reviews --------------------------------------------------------------------------------------


def due_reviews(inputs: str) -> QuerySet[Review]:
    """Public reviews without a current analysis from the inputs with this digest."""
    current = {"analysis__basis": inputs, "analysis__review_updated_at": F("updated_at")}
    return Review.objects.visible().exclude(**current)


def stamps(inputs: str) -> dict[int, str | None]:
    """Return the time of analysis by key of each public review; None for due reviews.

    Every change of a review leads to a new analysis, so the time identifies the record.
    """
    is_current = Q(analysis__basis=inputs, analysis__review_updated_at=F("updated_at"))
    # As text, because parsing 100,000 times takes half a second.
    analysed_at = Cast("analysis__analysed_at", TextField())
    stamp = Case(When(is_current, then=analysed_at), default=None)
    rows = Review.objects.visible().order_by().annotate(stamp=stamp)
    return dict(rows.values_list("pk", "stamp").iterator(5_000))


def records(keys: Sequence[int] | None = None) -> Iterator[tuple[int, AnalysedReview]]:
    """Yield the analysed public reviews, or those with these keys, in any order."""
    analysed = Review.objects.filter(hidden=False, analysis__isnull=False).order_by()
    chunks = [analysed]
    if keys is not None:
        starts = range(0, len(keys), CHUNK)
        chunks = [analysed.filter(pk__in=keys[start : start + CHUNK]) for start in starts]
    for chunk in chunks:
        rows = chunk.values_list("pk", "analysis__record", *FACTS.values())
        for key, stored, *facts in rows.iterator(chunk_size=2_000):
            yield key, AnalysedReview.of(load(stored), **dict(zip(FACTS, facts, strict=True)))


def trend_over(names: Sequence[str]) -> dict[str, Any]:
    """Return the trend over consecutive months like 2026-03."""
    artifact = Artifact.objects.only("months").first()
    months = {
        _month(name): SentimentTotals(count, score=score, stars=stars, star_squares=squares)
        for name, (count, score, stars, squares) in (artifact.months if artifact else {}).items()
    }
    return trend(months, range(_month(names[0]), _month(names[-1]) + 1) if names else range(0))


def _month(name: str) -> int:
    return month_of(dt.date.fromisoformat(f"{name}-01"))


def decisions() -> dict[tuple[str, str], InsightText]:
    """Administrators' decisions on the published texts, by kind and slug."""
    return {(text.kind, text.slug): text for text in InsightText.objects.order_by("kind", "slug")}
