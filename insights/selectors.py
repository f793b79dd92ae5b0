"""The questions asked about analyses: on what they rest, what is due, what is counted."""

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

# The code that makes records of reviews.
READS = (
    "review_analysis",
    "review_analysis_neural",
    "insights/store_findings.py",
    "insights/backends.py",
    "insights/findings.py",
    "insights/neural.py",
)
SHOWS = ("insights", "review_analysis", "reviews/stars.py")  # What makes the dataset of them.
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
    """The one that the settings name."""
    made: ReviewAnalyser = import_string(settings.INSIGHTS_ANALYSER)()
    return made


def rules_analyser() -> RulesAnalyser:
    """The analyser if it explains its findings, otherwise the built-in one."""
    used = analyser()
    return used if isinstance(used, RulesAnalyser) else RulesAnalyser()


def code_digest() -> str:
    """Stands for everything but rows that the dataset rests on: our own code and the analyser."""
    return _hash(source_digest(*SHOWS), analyser().model_id)


# --- What analyses rest on ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class AnalysisInputs:
    """Analyser, taxonomy and roster, which decide the findings of a review; `digest` covers all."""

    taxonomy: Mapping[str, Any]
    roster: Roster
    digest: str

    @property
    def names(self) -> Names:
        """Everything that is counted from these inputs."""
        return Names.on(self.taxonomy, self.roster)


def current_inputs() -> AnalysisInputs:
    """The taxonomy in force, the roster, and the analyser of this process.

    The same object as long as nothing of it changes, so that who compiles it does so once.
    """
    content, roster = taxonomy.in_force(), load_roster()
    words = orjson.dumps(content).decode()
    what = _hash(source_digest(*READS), analyser().model_id, words, str(digest(roster)))[:32]
    if not _inputs_cache or _inputs_cache[0].digest != what:
        _inputs_cache[:] = [AnalysisInputs(content, roster, what)]
    return _inputs_cache[0]


_inputs_cache: list[AnalysisInputs] = []


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()


# --- What is due ----------------------------------------------------------------------------------


def due_reviews(inputs: str) -> QuerySet[Review]:
    """The public reviews whose present text is not analysed from these inputs."""
    current = {"analysis__basis": inputs, "analysis__review_updated_at": F("updated_at")}
    return Review.objects.visible().exclude(**current)


# --- What is counted ------------------------------------------------------------------------------


def stamps(inputs: str) -> dict[int, str | None]:
    """Of every public review a value that changes whenever its record does; None: it is due.

    Any change of a review has it analysed again, so that the time of that tells.
    """
    is_current = Q(analysis__basis=inputs, analysis__review_updated_at=F("updated_at"))
    # As text: to read 100,000 of them as times costs half a second.
    analysed_at = Cast("analysis__analysed_at", TextField())
    stamp = Case(When(is_current, then=analysed_at), default=None)
    rows = Review.objects.visible().order_by().annotate(stamp=stamp)
    return dict(rows.values_list("pk", "stamp").iterator(5_000))


def records(keys: Sequence[int] | None = None) -> Iterator[tuple[int, AnalysedReview]]:
    """The analysed public reviews, or those of these keys, in no particular order."""
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
    """The trend of the published reviews over consecutive months, each like 2026-03."""
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
